import type { Credentials, Dialect, ProviderError } from '#adapters/services/definitions/dialect.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { readSuccess } from '#adapters/services/signing/answers.ts';
import { readError } from '#adapters/services/signing/neutral/errors.ts';
import { budgets } from '#adapters/services/signing/neutral/limits.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const notThereYet: ProviderError = {
  reason: 'conflict',
  message: 'The signing service refused: the file is not ready yet. Try again in a few seconds.',
};

/** What a vendor's dialect states of its own; `wholePages` are the paged lists that it returns whole. */
type SigningFacts = Readonly<{ name: string; url: string | null; wholePages: readonly string[] }>;

/** The dialect of a signing service; `url` is its address without a path, if any. */
export function signingDialect({ name, url, wholePages }: SigningFacts): Dialect {
  const base = url === null ? null : withoutEnd(url, '/');
  return {
    name,
    baseUrl: () => base,
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
    readSuccess: readSuccess(wholePages),
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
