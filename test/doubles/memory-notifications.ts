import type { NewOutgoing, Notifications, OutgoingNotification } from '#application/ports/notifications.ts';
import type { Channel, NotificationKind } from '#domain/notifications/notification.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

type Kept = OutgoingNotification & Readonly<{ endedAt: number | null; result: 'sent' | 'dropped' | null }>;

/** The notifications in the memory of this process. */
export class MemoryNotifications implements Notifications {
  readonly #kept = new Map<string, Kept>();
  readonly #off = new Map<number, readonly string[]>();

  async add({ id, channel, kind, occasion, userId, at, subject }: NewOutgoing): Promise<boolean> {
    if (this.#kept.has(id)) return false;
    const given = { id, channel, kind, occasion, userId, at, subject };
    const open = { attempts: 0, dueAt: at, isDigest: false, endedAt: null, result: null };
    this.#kept.set(id, frozenCopy({ ...given, ...open }));
    return true;
  }

  async due({ channels, now, limit }: Parameters<Notifications['due']>[0]): Promise<readonly OutgoingNotification[]> {
    return [...this.#kept.values()]
      .filter((one) => one.endedAt === null && channels.includes(one.channel) && one.dueAt <= now)
      .toSorted((left, right) => left.dueAt - right.dueAt || (left.id < right.id ? -1 : 1))
      .slice(0, limit)
      .map(outgoing);
  }

  async claim({ id, dueAt, attempts }: OutgoingNotification, until: number): Promise<boolean> {
    const kept = this.#kept.get(id);
    if (kept?.endedAt !== null || kept.dueAt !== dueAt || kept.attempts !== attempts) return false;
    this.#kept.set(id, frozenCopy({ ...kept, dueAt: until, attempts: attempts + 1 }));
    return true;
  }

  async defer(id: string, dueAt: number, more: Readonly<{ isDigest?: boolean }> = {}): Promise<void> {
    const kept = this.#kept.get(id);
    if (kept?.endedAt === null) this.#kept.set(id, frozenCopy({ ...kept, dueAt, ...more }));
  }

  async end(ids: readonly string[], at: number, result: 'sent' | 'dropped'): Promise<void> {
    for (const id of ids) {
      const kept = this.#kept.get(id);
      if (kept?.endedAt === null) this.#kept.set(id, frozenCopy({ ...kept, endedAt: at, result }));
    }
  }

  async waiting(): Promise<Readonly<Record<Channel, number>>> {
    const open = [...this.#kept.values()].filter(({ endedAt }) => endedAt === null);
    const of = (channel: Channel) => open.filter((one) => one.channel === channel).length;
    return { webhook: of('webhook'), mail: of('mail'), administrators: of('administrators') };
  }

  async mailsSince(kind: NotificationKind, since: number): Promise<number> {
    const isMail = (one: Kept) => one.channel === 'mail' && one.kind === kind && !one.isDigest;
    return [...this.#kept.values()].filter(
      (one) => isMail(one) && one.result === 'sent' && (one.endedAt ?? -1) >= since,
    ).length;
  }

  async prune(before: number): Promise<number> {
    const old = [...this.#kept.values()].filter(({ endedAt }) => endedAt !== null && endedAt < before);
    for (const { id } of old) this.#kept.delete(id);
    return old.length;
  }

  async switchedOff(userId: number): Promise<readonly string[]> {
    return this.#off.get(userId) ?? [];
  }

  async switchOff(userId: number, off: readonly string[]): Promise<void> {
    this.#off.set(userId, frozenCopy([...off].sort()));
  }
}

function outgoing(kept: Kept): OutgoingNotification {
  const { endedAt: _, result: __, ...one } = kept;
  return one;
}
