import type { Credentials, Dialect, ProviderError } from '#adapters/services/dialect.ts';
import type { RequestRow } from '#adapters/services/operation-table.ts';
import { readSuccess } from '#adapters/services/signing/answers.ts';
import { readError } from '#adapters/services/signing/errors.ts';
import { budgets } from '#adapters/services/signing/limits.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

/** The address of the provider's own interface when none is configured. */
const pandadocUrl = 'https://api.pandadoc.com';

const notThereYet: ProviderError = {
  reason: 'conflict',
  message: 'The signing service refused: the file is not ready yet. Try again in a few seconds.',
};

/**
 * The neutral dialect of the signing service, or the vendor's; `url` is its configured address without a path, if any.
 */
export function signingDialect(name: 'neutral' | 'pandadoc', url: string | null): Dialect {
  const configured = url === null ? null : withoutEnd(url, '/');
  const baseUrl = configured ?? (name === 'pandadoc' ? pandadocUrl : null);
  return {
    name,
    baseUrl: () => baseUrl,
    trust: () => true,
    credentials,
    headers: {},
    mediaTypes: {},
    readError: (answer, body, { row, record }) => {
      if (isPending(answer)) return notThereYet;
      return answer.status === 401 && isProtectedDownload(row) && record.authMethod !== 'oauth'
        ? onlyProduction
        : readError(answer, body);
    },
    // A file that is still being generated is answered with 202 and no body.
    isFailure: isPending,
    readSuccess: readSuccess(name),
    budgets,
  };
}

/** `API-Key` for a key, `Bearer` for OAuth (SIGN-001). */
function credentials({ authMethod, accessToken }: TokenRecord): Credentials {
  return { headers: { authorization: `${authMethod === 'oauth' ? 'Bearer' : 'API-Key'} ${accessToken}` } };
}

/**
 * A sandbox key is rejected for production-only calls as if it were invalid; it must not be taken for invalid
 * credentials.
 */
const onlyProduction: ProviderError = {
  reason: 'forbidden',
  message: 'The protected download is for production credentials only. Download the document itself instead.',
};

const isProtectedDownload = (row: RequestRow): boolean => row.path.endsWith('/download-protected');

const isPending = (answer: HttpAnswer): boolean => answer.status === 202 && answer.body.byteLength === 0;
