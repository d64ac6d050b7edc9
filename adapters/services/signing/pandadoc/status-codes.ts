import { type DocumentState, documentStateOf } from '#domain/signing/document-state.ts';

/** The numeric document states that the provider's interface uses in requests; answers use their names. */
export const statusCodes: Readonly<Record<DocumentState, number>> = {
  draft: 0,
  sent: 1,
  completed: 2,
  uploaded: 3,
  error: 4,
  viewed: 5,
  waiting_approval: 6,
  approved: 7,
  rejected: 8,
  waiting_pay: 9,
  paid: 10,
  expired: 11,
  declined: 12,
  external_review: 13,
  scheduled: 14,
};

/** The number of a state given by name; any other value is returned unchanged. */
export function statusCode(value: unknown): unknown {
  const state = documentStateOf(value);
  return state === null ? value : statusCodes[state];
}
