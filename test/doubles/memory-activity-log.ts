import type { ActivityLog, ActivityQuery, StoredActivity, UsageQuery } from '#application/ports/activity-log.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import { summedUsage, type UsageCount } from '#domain/activity/usage-count.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** What apps did, in the memory of this process. */
export class MemoryActivityLog implements ActivityLog {
  #entries: readonly StoredActivity[] = [];
  #lastId = 0;
  #usage: readonly UsageCount[] = [];

  async add(entries: readonly ActivityEntry[], usage: readonly UsageCount[] = []): Promise<void> {
    this.#usage = summedUsage([...this.#usage, ...usage]);
    const stored = entries.map((entry) => {
      this.#lastId += 1;
      return frozenCopy({ ...entry, id: this.#lastId });
    });
    this.#entries = [...stored.toReversed(), ...this.#entries];
  }

  async list(query: ActivityQuery): Promise<readonly StoredActivity[]> {
    return this.#entries
      .filter(
        (entry) =>
          (query.userId ?? entry.userId) === entry.userId &&
          (query.service ?? entry.service) === entry.service &&
          (query.app === undefined || query.app === entry.app) &&
          (query.from === undefined || entry.at >= query.from) &&
          (query.until === undefined || entry.at < query.until) &&
          (query.before === undefined || entry.id < query.before),
      )
      .slice(0, query.limit);
  }

  async apps(userId: number | null): Promise<readonly string[]> {
    const own = this.#entries.filter((entry) => userId === null || entry.userId === userId);
    return [...new Set(own.flatMap(({ app }) => app ?? []))].sort().slice(0, 200);
  }

  async usage({ userId, since }: UsageQuery): Promise<readonly UsageCount[]> {
    const own = this.#usage.filter((one) => one.userId === userId && one.hour >= since);
    const key = ({ hour, kind, service }: UsageCount): string => `${hour} ${kind} ${service}`;
    return own.toSorted((left, right) => (key(left) < key(right) ? -1 : 1)).map((one) => frozenCopy(one));
  }

  async prune(before: number): Promise<number> {
    this.#usage = this.#usage.filter(({ hour }) => hour >= before);
    const kept = this.#entries.filter(({ at }) => at >= before);
    const pruned = this.#entries.length - kept.length;
    this.#entries = kept;
    return pruned;
  }
}
