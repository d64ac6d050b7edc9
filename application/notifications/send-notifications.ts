import { digestText, type MailText, mailText } from '#application/notifications/mail-text.ts';
import { type NotificationTexts, notificationPayload } from '#application/notifications/notification-payload.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { NotificationMetrics } from '#application/ports/notification-metrics.ts';
import type { MailSender, SendingResult, WebhookPoster } from '#application/ports/notification-senders.ts';
import type { Notifications, OutgoingNotification } from '#application/ports/notifications.ts';
import type { Users } from '#application/ports/users.ts';
import {
  hourMs,
  maxMailsAnHour,
  maxTriedMs,
  messageId,
  notificationDelayMs,
  wantsMail,
} from '#domain/notifications/notification.ts';
import { isActive } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies; a way of sending that is not set up is null. `chance` returns a number in [0, 1), for jitter. */
type SendNotificationsDependencies = Readonly<{
  notifications: Notifications;
  webhook: WebhookPoster | null;
  mail: MailSender | null;
  users: Pick<Users, 'find' | 'page'>;
  texts: NotificationTexts;
  metrics: NotificationMetrics;
  clock: Clock;
  chance: () => number;
  logger: Logger;
}>;

/** How long a claim lasts, in ms: longer than an attempt takes. After a crash, it is how long a message waits. */
const claimMs = 30_000;
/** The maximum number of notifications that are looked at in one pass, and that one digest covers. */
const maxAtOnce = 100;
/** The maximum number of administrators who are mailed. */
const maxAdministrators = 1_000;

/**
 * Sends what is due, each at one server at a time. After a failure nothing more is sent over that way in this pass, so
 * that a receiver that is down is asked once, not for everything that waits.
 */
export class SendNotifications {
  readonly #dependencies: SendNotificationsDependencies;

  constructor(dependencies: SendNotificationsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes one pass over both ways; resolves when it is over, or soon after the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#sendWebhooks(signal), this.#sendMails(signal)]);
  }

  async #sendWebhooks(signal: AbortSignal): Promise<void> {
    const { webhook, texts } = this.#dependencies;
    if (webhook === null) return;
    for (const one of await this.#due(['webhook'])) {
      if (signal.aborted) return;
      if (!(await this.#claim(one))) continue;
      const body = JSON.stringify(notificationPayload(one, texts));
      if (!(await this.#settle([one], await webhook.send({ id: one.id, body }, signal), signal))) return;
    }
  }

  async #sendMails(signal: AbortSignal): Promise<void> {
    const { mail } = this.#dependencies;
    if (mail === null) return;
    for (const one of await this.#due(['administrators'])) await this.#spread(one);
    const due = await this.#due(['mail']);
    for (const one of due.filter(({ isDigest }) => !isDigest)) {
      if (signal.aborted) return;
      if (!(await this.#sendMail(one, mail, signal))) return;
    }
    const digests = Map.groupBy(
      due.filter(({ isDigest }) => isDigest),
      ({ userId }) => userId,
    );
    for (const [userId, all] of digests) {
      if (signal.aborted || userId === null) return;
      if (!(await this.#sendDigest(userId, all, { mail, signal }))) return;
    }
  }

  /** Makes one for the administrators into one for each of them. */
  async #spread(one: OutgoingNotification): Promise<void> {
    if (!(await this.#claim(one))) return;
    const { notifications, users, clock } = this.#dependencies;
    const administrators = await users.page({ isAdmin: true, limit: maxAdministrators });
    for (const { id: userId } of administrators.filter(isActive)) {
      const id = messageId(one, `mail/${userId}`);
      await notifications.add({ ...one, id, channel: 'mail', userId });
    }
    await notifications.end([one.id], clock.now(), 'sent');
  }

  /** Sends one e-mail; false when nothing more is to be sent in this pass. */
  async #sendMail(one: OutgoingNotification, mail: MailSender, signal: AbortSignal): Promise<boolean> {
    const { notifications, clock, texts } = this.#dependencies;
    if (!(await this.#claim(one))) return true;
    const to = await this.#recipient(one);
    if (to === null) {
      await notifications.end([one.id], clock.now(), 'dropped');
      return true;
    }
    const hour = Math.floor(clock.now() / hourMs) * hourMs;
    if ((await notifications.mailsSince(one.kind, hour)) >= maxMailsAnHour) {
      await notifications.defer(one.id, hour + hourMs, { isDigest: true });
      return true;
    }
    return this.#settle([one], await this.#mail(mail, { id: one.id, to, ...mailText(one, texts) }, signal), signal);
  }

  async #sendDigest(
    userId: number,
    all: readonly OutgoingNotification[],
    { mail, signal }: Readonly<{ mail: MailSender; signal: AbortSignal }>,
  ): Promise<boolean> {
    const { notifications, clock, texts } = this.#dependencies;
    const user = await this.#dependencies.users.find(userId);
    const off = await notifications.switchedOff(userId);
    const mine: OutgoingNotification[] = [];
    for (const one of all) if (await this.#claim(one)) mine.push(one);
    const wanted = mine.filter(({ kind }) => wantsMail(off, kind));
    const [first] = wanted;
    if (user === null || !isActive(user) || first === undefined) {
      await notifications.end(
        mine.map(({ id }) => id),
        clock.now(),
        'dropped',
      );
      return true;
    }
    const id = messageId(first, `digest/${userId}`);
    const text = digestText(wanted, texts);
    return this.#settle(mine, await this.#mail(mail, { id, to: user.email, ...text }, signal), signal);
  }

  #mail(
    mail: MailSender,
    { subject, ...rest }: MailText & Readonly<{ id: string; to: string }>,
    signal: AbortSignal,
  ): Promise<SendingResult> {
    return mail.send({ ...rest, subject }, signal);
  }

  /** The address of the user whom an e-mail concerns; null when they are gone, or do not want it. */
  async #recipient({ userId, kind }: OutgoingNotification): Promise<string | null> {
    if (userId === null) return null;
    const { users, notifications } = this.#dependencies;
    const user: User | null = await users.find(userId);
    if (user === null || !isActive(user)) return null;
    return wantsMail(await notifications.switchedOff(userId), kind) ? user.email : null;
  }

  /** Records how sending ended; false when nothing more is to be sent in this pass. */
  async #settle(all: readonly OutgoingNotification[], sending: SendingResult, signal: AbortSignal): Promise<boolean> {
    const { notifications, metrics, clock, chance, logger } = this.#dependencies;
    const now = clock.now();
    const ids = all.map(({ id }) => id);
    const result = ({ sent: 'sent', refused: 'dropped', failed: 'failed' } as const)[sending.kind];
    for (const { kind, channel } of all) metrics.notified(kind, channel, result);
    if (sending.kind === 'sent') {
      await notifications.end(ids, now, 'sent');
      return true;
    }
    const { error } = sending;
    if (sending.kind === 'refused') {
      logger.warn({ error, ids }, 'A notification was refused and is not sent again');
      await notifications.end(ids, now, 'dropped');
      return true;
    }
    for (const { id, at, attempts, kind, channel } of all) {
      const isGivenUp = now - at > maxTriedMs;
      logger.warn({ error, id, attempts: attempts + 1 }, isGivenUp ? 'Notification given up' : 'Notification not sent');
      const delayMs = Math.max(sending.retryAfterMs ?? 0, notificationDelayMs(attempts + 1, chance()));
      if (isGivenUp) metrics.notified(kind, channel, 'dropped');
      if (isGivenUp) await notifications.end([id], now, 'dropped');
      else await notifications.defer(id, signal.aborted ? now : now + delayMs);
    }
    return false;
  }

  #due(channels: Parameters<Notifications['due']>[0]['channels']): Promise<readonly OutgoingNotification[]> {
    const { notifications, clock } = this.#dependencies;
    return notifications.due({ channels, now: clock.now(), limit: maxAtOnce });
  }

  #claim(one: OutgoingNotification): Promise<boolean> {
    const { notifications, clock } = this.#dependencies;
    return notifications.claim(one, clock.now() + claimMs);
  }
}
