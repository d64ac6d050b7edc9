import type { Dialect } from '#adapters/services/dialect.ts';
import type { AnswerKind, RequestRow } from '#adapters/services/operation-table.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import { type FailureReason, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { HttpAnswer, HttpFault } from '#infrastructure/http/http-client.ts';
import { retryAfterMs } from '#infrastructure/http/retry.ts';

const reasonOfFault: Readonly<Record<HttpFault['reason'], FailureReason>> = {
  timeout: 'unavailable',
  network: 'unavailable',
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

/** What an answer, or the lack of one, means (decisions, Operations: reasons). `title` names the service to a reader. */
export function outcomeOf(
  row: RequestRow,
  inputs: Inputs,
  result: HttpAnswer | HttpFault,
  { dialect, title }: Readonly<{ dialect: Dialect; title: string }>,
): Outcome {
  if (result.kind === 'fault') {
    return failed(reasonOfFault[result.reason], `${title} gave no usable answer. ${result.message}`);
  }
  if (result.status >= 400 || result.status < 200) return refusal(result, dialect, title);
  if (result.status >= 300) {
    return failed(
      'rejected',
      `${title} answered with a redirect (${result.status}), which is not followed. Check its address.`,
    );
  }
  return success(row, inputs, result, { dialect, title });
}

function refusal(answer: HttpAnswer, dialect: Dialect, title: string): Outcome {
  const body = parsedOrNull(answer);
  const said = dialect.readError(answer, body);
  const reason = said?.reason ?? reasonOfStatus[answer.status] ?? (answer.status >= 500 ? 'unavailable' : 'rejected');
  const waitMs = retryAfterMs(answer.headers, Date.now());
  return failed(reason, said?.message ?? `${title} answered ${answer.status}.`, {
    ...(waitMs === null ? {} : { retryAfterMs: waitMs }),
    ...(said?.details === undefined ? {} : { details: said.details }),
  });
}

function success(
  row: RequestRow,
  inputs: Inputs,
  answer: HttpAnswer,
  { dialect, title }: Readonly<{ dialect: Dialect; title: string }>,
): Outcome {
  const kind: AnswerKind = row.options.answer ?? 'json';
  if (kind === 'none') return succeeded(null);
  const isJson = (answer.headers['content-type'] ?? '').includes('json');
  if (kind === 'text' && !isJson) return succeeded(textOf(answer));
  if (answer.body.byteLength === 0) return succeeded(null);
  const body = parsedOrNull(answer);
  if (body === null && textOf(answer).trim() !== 'null') {
    return failed('unavailable', `${title} answered ${answer.status} with something that is not JSON.`);
  }
  if (row.options.page === undefined) return succeeded(body);
  const { data, pagination } = dialect.readPage(row.options.page, body, inputs);
  return succeeded(data, pagination);
}

function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}

function parsedOrNull(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(textOf(answer));
  } catch {
    return null;
  }
}
