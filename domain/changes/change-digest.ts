import { hash } from 'node:crypto';
import { canonicalJson } from '#domain/json/canonical-json.ts';

/** What an approval is for: it counts for no other operation, inputs, state of the record or account. */
export type ApprovedChange = Readonly<{
  service: string;
  operation: string;
  /** As it is sent: with ids in place of names. */
  input: unknown;
  /** The state of what is changed (`PlannedChange.state`). */
  state: string;
  /** The connection's account: another text when the user connected another one. */
  account: string;
}>;

/** Returns the digest of a change, base64url of SHA-256; the order of members does not matter. */
export function digestOfChange({ service, operation, input, state, account }: ApprovedChange): string {
  return digestOfJson([service, operation, input, state, account]);
}

/** Returns the digest of JSON data, base64url of SHA-256 of its canonical form. */
export function digestOfJson(value: unknown): string {
  return hash('sha256', value === undefined ? '' : canonicalJson(value), 'base64url');
}
