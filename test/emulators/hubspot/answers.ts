import { randomUUID } from 'node:crypto';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';

/** A failure in HubSpot's form. */
export function failure(
  status: number,
  category: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Answer {
  return { status, body: { status: 'error', message, correlationId: randomUUID(), category, ...more } };
}

/** A request that does not fit. */
export const invalid = (message: string, more: Readonly<Record<string, unknown>> = {}): Answer =>
  failure(400, 'VALIDATION_ERROR', message, more);

/** A record that is not there. */
export const missing = (type: string, id: string): Answer =>
  failure(404, 'OBJECT_NOT_FOUND', `Object not found.  objectId are usually numeric. (${type} ${id})`);

/** A token that is not accepted, or has expired. */
export const unauthorized: Answer = failure(
  401,
  'EXPIRED_AUTHENTICATION',
  'The OAuth token used to make this call expired 5 second(s) ago.',
);

/** More requests than a limit allows. */
export const tooMany = (policyName: string): Answer =>
  failure(429, 'RATE_LIMITS', `You have reached your ${policyName.toLowerCase()} limit.`, {
    errorType: 'RATE_LIMIT',
    policyName,
  });
