import type { Credentials, Dialect, ProviderError } from '#adapters/services/dialect.ts';
import type { RequestRow } from '#adapters/services/operation-table.ts';
import { readSuccess } from '#adapters/services/signing/answers.ts';
import { readError } from '#adapters/services/signing/errors.ts';
import { budgets } from '#adapters/services/signing/limits.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

/** Where the provider's own interface is when no address is set. */
const pandadocUrl = 'https://api.pandadoc.com';

const notThereYet: ProviderError = {
  reason: 'conflict',
  message: 'The signing service refused: the file is not ready yet. Try again in a few seconds.',
};

/** The neutral dialect of the signing service, or the vendor's; `url` is its address without a path, if one is set. */
export function signingDialect(name: 'neutral' | 'pandadoc', url: string | null): Dialect {
  const baseUrl = url?.replace(/\/+$/, '') ?? (name === 'pandadoc' ? pandadocUrl : null);
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
    // A file that is still being made is answered 202 without a body.
    isFailure: isPending,
    readSuccess: readSuccess(name),
    budgets,
  };
}

/** `API-Key` for a key, `Bearer` for OAuth (SIGN-001). */
function credentials({ authMethod, accessToken }: TokenRecord): Credentials {
  return { headers: { authorization: `${authMethod === 'oauth' ? 'Bearer' : 'API-Key'} ${accessToken}` } };
}

/** A sandbox key is refused there as if it did not sign in; it does, and must not be taken for a dead one. */
const onlyProduction: ProviderError = {
  reason: 'forbidden',
  message: 'The protected download is for production credentials only. Download the document itself instead.',
};

const isProtectedDownload = (row: RequestRow): boolean => row.path.endsWith('/download-protected');

const isPending = (answer: HttpAnswer): boolean => answer.status === 202 && answer.body.byteLength === 0;
