import { raw } from '@mikro-orm/core';
import { z } from 'zod';
import { NotificationChoiceRow } from '#adapters/persistence/schema/notification-choices.ts';
import { NotificationRow } from '#adapters/persistence/schema/notifications.ts';
import type { NewOutgoing, Notifications, OutgoingNotification } from '#application/ports/notifications.ts';
import { type Channel, channels, type NotificationKind } from '#domain/notifications/notification.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

const countSchema = z.tuple([z.object({ mails: z.coerce.number() })]);

const waitingSchema = z.array(z.object({ channel: z.enum(channels), waiting: z.coerce.number() }));

/** The row of a notification that is added, due at once. */
export function openRow({ id, channel, kind, occasion, userId, at, subject }: NewOutgoing) {
  const open = { attempts: 0, dueAt: at, isDigest: false, endedAt: null, result: null };
  return { id, channel, kind, occasion, userId, at, subject, ...open };
}

/** Keeps notifications in the database. Each change of a row is a single statement. */
export class SqlNotifications implements Notifications {
  readonly #notifications;
  readonly #choices;

  constructor(database: Database) {
    this.#notifications = new Table(database, NotificationRow);
    this.#choices = new Table(database, NotificationChoiceRow);
  }

  add(notification: NewOutgoing): Promise<boolean> {
    return this.#notifications.add(openRow(notification));
  }

  async waiting(): Promise<Readonly<Record<Channel, number>>> {
    const query = this.#notifications.qb().select(['channel', raw('count(*) as waiting')]);
    const rows = waitingSchema.parse(
      await query
        .where({ channel: { $in: [...channels] }, dueAt: { $ne: null } })
        .groupBy('channel')
        .execute('all', false),
    );
    const of = (channel: Channel) => rows.find((row) => row.channel === channel)?.waiting ?? 0;
    return { webhook: of('webhook'), mail: of('mail'), administrators: of('administrators') };
  }

  async due({ channels, now, limit }: Parameters<Notifications['due']>[0]): Promise<readonly OutgoingNotification[]> {
    const query = this.#notifications.qb().select('*');
    query.where({ channel: { $in: [...channels] }, dueAt: { $lte: now } }).orderBy({ dueAt: 'asc', id: 'asc' });
    const rows = await this.#notifications.rows(query.limit(Math.trunc(limit)));
    return rows.map((row) => {
      const { endedAt: _, result: __, dueAt, ...one } = row;
      return { ...one, dueAt: dueAt ?? now };
    });
  }

  async claim({ id, dueAt, attempts }: OutgoingNotification, until: number): Promise<boolean> {
    const claimed = { dueAt: until, attempts: attempts + 1 };
    return (await this.#notifications.update({ id, dueAt, attempts }, claimed)) === 1;
  }

  async defer(id: string, dueAt: number, more: Readonly<{ isDigest?: boolean }> = {}): Promise<void> {
    await this.#notifications.update({ id, endedAt: null }, { dueAt, ...more });
  }

  async end(ids: readonly string[], at: number, result: 'sent' | 'dropped'): Promise<void> {
    if (ids.length === 0) return;
    await this.#notifications.update({ id: { $in: [...ids] }, endedAt: null }, { dueAt: null, endedAt: at, result });
  }

  async mailsSince(kind: NotificationKind, since: number): Promise<number> {
    const query = this.#notifications.qb().select(raw('count(*) as mails'));
    query.where({ channel: 'mail', kind, result: 'sent', isDigest: false, endedAt: { $gte: since } });
    const [{ mails }] = countSchema.parse(await query.execute('all', false));
    return mails;
  }

  prune(before: number): Promise<number> {
    return this.#notifications.deleteBefore('endedAt', before);
  }

  async switchedOff(userId: number): Promise<readonly string[]> {
    return (await this.#choices.find({ userId }))?.off ?? [];
  }

  async switchOff(userId: number, off: readonly string[]): Promise<void> {
    if (off.length === 0) await this.#choices.delete({ userId });
    else await this.#choices.put({ userId, off: [...off].sort() });
  }
}
