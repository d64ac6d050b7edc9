import { type Provider, titleOf } from '#adapters/services/definitions/provider.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { AnswerKind } from '#adapters/services/requests/row-options.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import { isTooDeep, jsonOrNull, maxDepth, withoutMembers } from '#domain/json/json-data.ts';
import {
  type FailureReason,
  failed,
  type Outcome,
  type Sent,
  succeeded,
  withPath,
  withRevision,
} from '#domain/operations/outcome.ts';
import { redacted, spellingsOf } from '#domain/text/redacted.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, HttpError } from '#infrastructure/http/http-messages.ts';
import { retryAfterMs } from '#infrastructure/http/retry.ts';

const reasonOfError: Readonly<Record<HttpError['reason'], FailureReason>> = {
  timeout: 'unavailable',
  network: 'unavailable',
  address: 'forbidden',
  aborted: 'unavailable',
  too_large: 'too_large',
};

const reasonOfStatus: Readonly<Record<number, FailureReason>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  429: 'rate_limited',
};

/**
 * Converts an answer or an error to an outcome, redacting the tokens of its request (ERR-003). A failure says whether
 * the request was sent (ERR-009).
 */
export function outcomeOf(row: RequestRow, inputs: Inputs, answer: HttpAnswer | HttpError, reader: Reader): Outcome {
  const outcome = answeredOutcome(row, inputs, answer, reader);
  if (!outcome.ok) return { ...outcome, sent: sentBy(answer, outcome.reason) };
  if (answer.kind === 'error') return outcome;
  const { dialect } = reader.provider;
  return withPath(withRevision(outcome, dialect.revisionIn?.(answer, outcome.data)), dialect.pathIn?.(answer));
}

/** The reasons of failures after which the service may have done what it was asked to, unless its status says no. */
const doubtful: readonly FailureReason[] = ['unavailable', 'too_large'];

/** Statuses that say that nothing was done, although their reasons leave it open. */
const undone: readonly number[] = [413, 503];

function sentBy(answer: HttpAnswer | HttpError, reason: FailureReason): Sent {
  if (answer.kind === 'error') return answer.sent;
  return doubtful.includes(reason) && !undone.includes(answer.status) ? 'unknown' : 'yes';
}

function answeredOutcome(row: RequestRow, inputs: Inputs, answer: HttpAnswer | HttpError, reader: Reader): Outcome {
  const { provider, record } = reader;
  const { dialect } = provider;
  if (answer.kind === 'error') {
    const why = dialect.explainError?.(answer, record) ?? answer.message;
    return failed(reasonOfError[answer.reason], `${titleOf(provider)} gave no usable answer. ${why}`);
  }
  const given = decoder.decode(answer.body);
  const text = withoutSecrets(given, record);
  const result = text === given ? answer : { ...answer, body: Buffer.from(text) };
  const parsed = mayBeJson.test(text) ? jsonOrNull(text) : null;
  const isDeep = isTooDeep(parsed);
  const { withheld } = row.options;
  const body = isDeep ? null : withheld === undefined ? parsed : withoutMembers(parsed, withheld);
  if (result.status >= 400 || result.status < 200 || dialect.isFailure?.(result, body) === true) {
    return rejection(row, result, body, reader);
  }
  if (result.status >= 300) {
    return failed(
      'rejected',
      `${titleOf(provider)} answered with a redirect (${result.status}), which is not followed. Check its address.`,
    );
  }
  const kind: AnswerKind = row.options.answer ?? 'json';
  if (kind === 'file')
    return failed('conflict', `${titleOf(provider)} has not made the file yet. Try again in a moment.`, {
      retryAfterMs: 5_000,
    });
  if (kind === 'none') return succeeded(null);
  if (kind === 'text' && !(result.headers['content-type'] ?? '').includes('json')) return succeeded(text);
  if (isDeep) {
    return failed('too_large', `${titleOf(provider)} ${tooDeepText(result.status)}`);
  }
  if (body === null && result.body.byteLength > 0 && text.trim() !== 'null') {
    return failed('unavailable', `${titleOf(provider)} ${notJsonText(result.status)}`);
  }
  return dialect.readSuccess({ row, inputs, status: result.status, headers: result.headers, body });
}

/** What is said of JSON with too many levels, after who answered it. */
export const tooDeepText = (status: number): string =>
  `answered ${status} with JSON that is nested more than ${maxDepth} levels deep, which is not passed on.`;

/** What is said of text that should be JSON, after who answered it. */
export const notJsonText = (status: number): string => `answered ${status} with something that is not JSON.`;

/** The provider and connection of an answer. */
export type Reader = Readonly<{ provider: Provider; record: TokenRecord }>;

function rejection(row: RequestRow, answer: HttpAnswer, body: unknown, { provider, record }: Reader): Outcome {
  const { dialect } = provider;
  const said = dialect.readError(answer, body, { row, record });
  const reason = said?.reason ?? reasonOfStatus[answer.status] ?? (answer.status >= 500 ? 'unavailable' : 'rejected');
  const statedMs = dialect.limitIn?.(answer)?.retryAfterMs ?? said?.retryAfterMs ?? null;
  const waitMs = retryAfterMs(answer.headers, Date.now()) ?? statedMs;
  return failed(reason, said?.message ?? `${titleOf(provider)} answered ${answer.status}.`, {
    ...(waitMs === null ? {} : { retryAfterMs: waitMs }),
    ...(said?.details === undefined ? {} : { details: said.details }),
  });
}

const decoder = new TextDecoder();

/** Matches the start of a JSON text, which is cheaper than a parser that throws for every note. */
const mayBeJson = /^\s*(?:[{["]|-?\d|true|false|null)/;

/**
 * Redacts the request's tokens in an answer: a provider that echoes them would otherwise leak them into outcomes and to
 * models.
 */
function withoutSecrets(text: string, record: TokenRecord): string {
  const known = spellings.get(record) ?? spellingsOf([record.accessToken, record.refreshToken ?? '']);
  spellings.set(record, known);
  return known.some((spelling) => text.includes(spelling)) ? redacted(text, known) : text;
}

/** The encodings in which a connection's secrets may appear in an answer, by its record. */
const spellings = new WeakMap<TokenRecord, readonly string[]>();
