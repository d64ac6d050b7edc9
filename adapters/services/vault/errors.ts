import { z } from 'zod';
import type { ProviderError } from '#adapters/services/definitions/dialect.ts';
import { howToReachPrivate } from '#adapters/services/requests/given-address.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { isUntrusted } from '#adapters/services/vault/details/certificate.ts';
import { vaultExtra } from '#adapters/services/vault/extra.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, HttpError } from '#infrastructure/http/http-messages.ts';

const errorBody = z.object({ message: z.string(), errorCode: z.number().optional() });

const reasonOfCode: Readonly<Record<number, FailureReason>> = {
  40085: 'invalid_input',
  40101: 'unauthorized',
  40510: 'invalid_input',
  41200: 'conflict',
};

/** The code for a body that is not of its media type; a search's body is its query. */
const malformedBody = 40015;

/** The message for a query that is not JSON. */
export const malformedQuery =
  'The query is not JSON. A JsonLogic rule is JSON, such as {"==": [{"var": "frontmatter.status"}, "open"]}; a DQL query takes `type` "dql".';

/** Parses the vault's error for a failed request; null when the body is not one of its errors. */
export function readError(
  answer: HttpAnswer,
  body: unknown,
  { row }: Readonly<{ row: Pick<RequestRow, 'path'> }>,
): ProviderError | null {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return null;
  const { message, errorCode } = parsed.data;
  const isQuery = errorCode === malformedBody && row.path === '/search/';
  const reason = isQuery ? 'invalid_input' : reasonOfCode[errorCode ?? answer.status * 100];
  return {
    message: isQuery ? malformedQuery : refusalText(message),
    details: { errorCode },
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The vault's message for people: its lines joined, each but the last ending as a sentence. */
export function refusalText(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const filled = lines.filter((line) => line !== '');
  const sentences = filled.map((line, index) =>
    index === filled.length - 1 || /[.!?:]$/.test(line) ? line : `${line}.`,
  );
  return `The vault refused: ${sentences.join(' ')}`;
}

/** Explains why the vault did not answer, and what its owner can do; null when the network error suffices. */
export function explainError(error: HttpError, record: TokenRecord): string | null {
  const { base_url, certificate, certificate_sha256 } = vaultExtra.parse(record.extra);
  const place = new URL(base_url).origin;
  if (error.reason === 'timeout') {
    return `${error.message} The notes app leaves some requests unanswered, such as those for periodic notes whose folder is missing; whether a write was done has to be looked up.`;
  }
  if (isUntrusted(error)) {
    return certificate === undefined
      ? `The certificate of ${place} is not signed by an authority that is known here. Connect the vault again on the page /page to have this very certificate trusted, or set verify_ssl to false.`
      : `${place} shows another certificate than the one that was trusted when it was connected (SHA-256 ${certificate_sha256 ?? 'unknown'}). When the notes app has made a new one, connect the vault again on the page /page; otherwise another program answers in its place.`;
  }
  if (error.reason === 'address') return `${error.message} ${howToReachPrivate}`;
  switch (error.code ?? '') {
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${place} has expired. Let the notes app make a new one, then connect the vault again on the page /page.`;
    case 'ECONNREFUSED':
      return `Nothing listens at ${place}: is the notes app running, with its REST interface switched on? Over plain HTTP it is off until its owner allows it.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${place} cannot be found. Check base_url.`;
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${place} does not speak TLS. Check whether base_url should begin with http:// and which port it has.`;
    default:
      return null;
  }
}
