import type { Visit } from '#adapters/http/visit.ts';
import type { Failure, FailureReason } from '#domain/operations/outcome.ts';

/** The HTTP status of each failure reason. */
export const statusOfFailure: Readonly<Record<FailureReason, number>> = {
  invalid_input: 400,
  unauthorized: 502,
  not_connected: 409,
  forbidden: 403,
  not_found: 404,
  gone: 410,
  conflict: 409,
  rate_limited: 429,
  rejected: 422,
  unavailable: 502,
  too_large: 413,
};

/** The members of a problem; `reason` is the machine-readable error code. */
export type Problem = Readonly<{ status: number; reason: string; detail: string; details?: unknown }>;

/** Answers a failure as problem JSON with its `reason`, with the status of the reason unless another is given. */
export function sendFailure(ctx: Visit, failure: Failure, status = statusOfFailure[failure.reason]): void {
  const { reason, message, retryAfterMs, details, inputErrors } = failure;
  if (retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
  sendProblem(ctx, { status, reason, detail: message, details: inputErrors ?? details });
}

/** Answers with problem JSON (RFC 9457). */
export function sendProblem(ctx: Visit, { status, reason, detail, details }: Problem): void {
  const title = reason.replaceAll('_', ' ');
  ctx.status = status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail,
    reason,
    ...(details === undefined ? {} : { details }),
  });
}
