import { hash } from 'node:crypto';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The kinds of notifications: what happened. */
export const notificationKinds = [
  'connection.broken',
  'connection.healed',
  'delivery.failed',
  'reaction.failed',
  'approval.waiting',
  'user.invited',
] as const;

/** One of those kinds. */
export type NotificationKind = (typeof notificationKinds)[number];

/**
 * What a notification is about: ids and names of services, never contents. `delivery` is a position in the inbox,
 * `reaction` the path of a note, `user` an invited user's id.
 */
export type NotificationSubject = Readonly<{
  service?: ServiceKey;
  event?: string;
  delivery?: number;
  reaction?: string;
  approval?: string;
  user?: number;
}>;

/**
 * Something that people are to hear of. `userId` is whom it concerns, null for the administrators. `occasion` identifies
 * it among those of its kind: the same one, reported by several servers, is sent once. `at` is Unix ms.
 */
export type Notification = Readonly<{
  kind: NotificationKind;
  occasion: string;
  userId: number | null;
  at: number;
  subject: NotificationSubject;
}>;

/**
 * How notifications are sent: `webhook` to `NOTIFY_URL`, `mail` to one user; one for `administrators` becomes a mail to
 * each of them.
 */
export const channels = ['webhook', 'mail', 'administrators'] as const;

/** One of those channels. */
export type Channel = (typeof channels)[number];

/** The id of a notification's message: the same for the same occasion, at every server and attempt. */
export function messageId({ kind, occasion }: Pick<Notification, 'kind' | 'occasion'>, channel: string): string {
  return `msg_${hash('sha256', JSON.stringify([kind, occasion, channel]), 'base64url').slice(0, 27)}`;
}

/** The switches of a user's e-mails, each with the kinds that it covers. */
export const mailSwitches = {
  connections: ['connection.broken', 'connection.healed'],
  approvals: ['approval.waiting'],
  failures: ['delivery.failed', 'reaction.failed', 'user.invited'],
} as const satisfies Readonly<Record<string, readonly NotificationKind[]>>;

/** One of the three switches. */
export type MailSwitch = keyof typeof mailSwitches;

/** The names of the switches, in the order in which they are shown. */
export const mailSwitchNames = ['connections', 'approvals', 'failures'] as const satisfies readonly MailSwitch[];

/** Whether a user with these switches off wants e-mails of a kind. */
export function wantsMail(off: readonly string[], kind: NotificationKind): boolean {
  return !mailSwitchNames.some((name) => off.includes(name) && mailSwitches[name].some((one) => one === kind));
}

/** The maximum number of e-mails of one kind in an hour; what is more is sent as a digest when the hour is over. */
export const maxMailsAnHour = 60;

/** An hour, in ms. */
export const hourMs = 3_600_000;

/** How long the sending of a notification is tried, in ms: three days. */
export const maxTriedMs = 72 * hourMs;

const delaysMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, hourMs, 2 * hourMs, 4 * hourMs] as const;
const lastDelayMs = 8 * hourMs;

/**
 * Returns the delay before the next attempt, in ms, after `attempts` failed ones; `chance` in [0, 1) varies it by a
 * tenth.
 */
export function notificationDelayMs(attempts: number, chance: number): number {
  const base = delaysMs[Math.max(0, attempts - 1)] ?? lastDelayMs;
  return Math.round(base * (1 + chance / 10));
}
