import type { Dialect } from '#adapters/services/dialect.ts';
import type { RequestRow } from '#adapters/services/operation-table.ts';
import type { AnswerKind } from '#adapters/services/row-options.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import { isTooDeep, maxDepth } from '#domain/json/depth.ts';
import { type FailureReason, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, HttpError } from '#infrastructure/http/http-client.ts';
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

/** What an answer, or the lack of one, means (ERR-003). `title` names the service to a reader. */
export function outcomeOf(row: RequestRow, inputs: Inputs, result: HttpAnswer | HttpError, reader: Reader): Outcome {
  const { dialect, title } = reader;
  if (result.kind === 'error') {
    const why = dialect.explainError?.(result, reader.record) ?? result.message;
    return failed(reasonOfError[result.reason], `${title} gave no usable answer. ${why}`);
  }
  const parsed = parsedOrNull(result);
  const isDeep = isTooDeep(parsed);
  const body = isDeep ? null : parsed;
  if (result.status >= 400 || result.status < 200 || dialect.isFailure?.(result, body) === true) {
    return refusal(row, result, body, reader);
  }
  if (result.status >= 300) {
    return failed(
      'rejected',
      `${title} answered with a redirect (${result.status}), which is not followed. Check its address.`,
    );
  }
  const kind: AnswerKind = row.options.answer ?? 'json';
  if (kind === 'file')
    return failed('conflict', `${title} has not made the file yet. Try again in a moment.`, { retryAfterMs: 5_000 });
  if (kind === 'none') return succeeded(null);
  if (kind === 'text' && !(result.headers['content-type'] ?? '').includes('json')) return succeeded(textOf(result));
  if (isDeep) {
    return failed(
      'too_large',
      `${title} answered ${result.status} with JSON that is nested more than ${maxDepth} levels deep, which is not handed on.`,
    );
  }
  if (body === null && result.body.byteLength > 0 && textOf(result).trim() !== 'null') {
    return failed('unavailable', `${title} answered ${result.status} with something that is not JSON.`);
  }
  return dialect.readSuccess({ row, inputs, status: result.status, headers: result.headers, body });
}

/** Whose answer it is. */
export type Reader = Readonly<{ dialect: Dialect; title: string; record: TokenRecord }>;

function refusal(row: RequestRow, answer: HttpAnswer, body: unknown, { dialect, title, record }: Reader): Outcome {
  const said = dialect.readError(answer, body, { row, record });
  const reason = said?.reason ?? reasonOfStatus[answer.status] ?? (answer.status >= 500 ? 'unavailable' : 'rejected');
  const statedMs = dialect.limitIn?.(answer)?.retryAfterMs ?? said?.retryAfterMs ?? null;
  const waitMs = retryAfterMs(answer.headers, Date.now()) ?? statedMs;
  return failed(reason, said?.message ?? `${title} answered ${answer.status}.`, {
    ...(waitMs === null ? {} : { retryAfterMs: waitMs }),
    ...(said?.details === undefined ? {} : { details: said.details }),
  });
}

function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}

/** What a JSON text can begin with: a parser that throws at every note costs more than a look. */
const mayBeJson = /^\s*(?:[{["]|-?\d|true|false|null)/;

function parsedOrNull(answer: HttpAnswer): unknown {
  const text = textOf(answer);
  if (!mayBeJson.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
