import { STATUS_CODES } from 'node:http';
import { approvalAsJson } from '#adapters/contracts/approval-json.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { withoutChoice } from '#domain/operations/input-error.ts';
import {
  type Failure,
  type FailureReason,
  failureReasons,
  type PendingApproval,
  type Sent,
  waitAfter,
} from '#domain/operations/outcome.ts';

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
  approval_required: 403,
  declined: 403,
  expired: 403,
};

/** The reasons of problems (ERR-003, ERR-014): those of failures, and those of the server's own routes. */
export const problemReasons = [
  ...failureReasons,
  'invalid_token',
  'insufficient_scope',
  'method_not_allowed',
  'unsupported_media_type',
  'email_taken',
  'automation_user',
  'last_admin',
  'server_error',
] as const;

/** One of the reasons of problems. */
export type ProblemReason = (typeof problemReasons)[number];

/**
 * The members of a problem; `reason` is the machine-readable error code, `retryAfterMs` the ms to wait before a retry,
 * `sent` whether what failed may have taken effect.
 */
type Problem = Readonly<{
  status: number;
  reason: ProblemReason;
  detail: string;
  retryAfterMs?: number | undefined;
  sent?: Sent | undefined;
  details?: unknown;
  approval?: PendingApproval | undefined;
}>;

/** Answers a failure as problem JSON with its `reason`, with the status of the reason unless another is given. */
export function sendFailure(ctx: Visit, failure: Failure, status = statusOfFailure[failure.reason]): void {
  const { reason, message, details, inputErrors, approval } = failure;
  const sent = reason === 'unavailable' ? failure.sent : undefined;
  const retryAfterMs = waitAfter(failure);
  sendProblem(ctx, {
    status,
    reason,
    detail: message,
    retryAfterMs,
    sent,
    details: inputErrors?.map(withoutChoice) ?? details,
    approval,
  });
}

/** Answers with problem JSON (RFC 9457), and the wait before a retry also as `Retry-After`. */
export function sendProblem(
  ctx: Visit,
  { status, reason, detail, retryAfterMs, sent, details, approval }: Problem,
): void {
  if (retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
  ctx.status = status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    reason,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(sent === undefined ? {} : { sent }),
    ...(details === undefined ? {} : { details }),
    ...(approval === undefined ? {} : { approval: approvalAsJson(approval) }),
  });
}
