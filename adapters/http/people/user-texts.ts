import { shownText } from '#adapters/http/answers/templates.ts';
import type { LeftUser } from '#application/users/manage-users.ts';
import { departureText } from '#application/users/manage-users.ts';

/** Why an act on users was refused, for people. */
export const userTexts = {
  invalid_email: 'This is not an e-mail address.',
  email_taken: 'There is already a user with this e-mail.',
  unknown_user: 'There is no such user.',
  last_admin: 'This is the last administrator: make another user an administrator first.',
  automation_user:
    'This is the automation user: deliveries, reactions and webhooks work over their connections. Set AUTOMATION_USER_ID to another user, who connects the services, and start the server again; then deactivate this one.',
  yourself: 'This is you: another administrator can do that.',
  busy: 'Another administrator is changing administrators at the moment. Try again.',
} as const;

/** One of the reasons. */
export type UserFailureReason = keyof typeof userTexts;

/** How each failure is answered: its status, and its reason in JSON (ERR-003, ERR-011). */
export const userAnswers = {
  invalid_email: { status: 400, reason: 'invalid_input' },
  email_taken: { status: 409, reason: 'email_taken' },
  unknown_user: { status: 404, reason: 'not_found' },
  last_admin: { status: 409, reason: 'last_admin' },
  automation_user: { status: 409, reason: 'automation_user' },
  yourself: { status: 409, reason: 'conflict' },
  busy: { status: 409, reason: 'conflict' },
} as const;

/** A message above a page: its colour and text. */
export type UserNotice = Readonly<{ kind: 'good' | 'bad'; text: string }>;

/** What was done before a page was redirected to, by the word in its address. */
const doneTexts = {
  rights: 'Saved the permissions.',
  name: 'Saved the name.',
  activated: 'Activated: they can sign in again, and connect their services.',
  disconnected: 'Disconnected, and revoked at the provider.',
  disconnected_here: 'Disconnected: the tokens are deleted here. The provider has no way to revoke them.',
  revoked: 'The app is signed out.',
  defaults: 'Saved the permissions of new users.',
} as const;

/** What was done before a page was redirected to. */
export type Done = keyof typeof doneTexts;

/** Returns the message for a redirected page; null for no or an unknown word. */
export function doneNotice(query: Readonly<Record<string, unknown>>): UserNotice | null {
  const { done, what } = query;
  if (done === 'left' && typeof what === 'string') return leftNotice(what);
  const found = Object.entries(doneTexts).find(([name]) => name === done);
  return found === undefined ? null : { kind: 'good', text: found[1] };
}

/** The message that users left is carried in the address: its form is checked, so that nobody can write another into a link. */
const leftPattern = /^(deactivated|deleted)\.(\d{1,6})\.(\d{1,6})\.(\d{1,6})\.(\d{1,4})\.(\d{1,4})$/;

/** Returns the address parameters for what ended when these users left. */
export function leftQuery(what: 'deactivated' | 'deleted', all: readonly LeftUser[]): string {
  const sum = (of: (one: LeftUser) => number): number => all.reduce((total, one) => total + of(one), 0);
  const { length } = all;
  const ended = [sum((one) => one.sessions), sum((one) => one.apps), sum((one) => one.connections)];
  return `done=left&what=${[what, length, ...ended, sum((one) => one.revoked)].join('.')}`;
}

function leftNotice(text: string): UserNotice | null {
  const [, what, users, sessions, apps, connections, revoked] = leftPattern.exec(text) ?? [];
  if (what === undefined) return null;
  const counts = { sessions: Number(sessions), apps: Number(apps), connections: Number(connections) };
  const who = users === '1' ? 'The user is' : `${users} users are`;
  return { kind: 'good', text: `${who} ${what}: ${departureText({ ...counts, revoked: Number(revoked) })}.` };
}

/** The bad news above a page. */
export function badNotice(text: string): UserNotice {
  return { kind: 'bad', text: shownText(text, 1_000) };
}
