import type { SubscriptionLedger } from '#application/ports/subscription-ledger.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** The ledger in memory, for tests: it forgets what stays registered. */
export class MemorySubscriptionLedger implements SubscriptionLedger {
  readonly #lines = new Map<string, Subscription>();

  async list(): Promise<readonly Subscription[]> {
    return [...this.#lines].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, line]) => line);
  }

  async keep(line: Subscription): Promise<Subscription | null> {
    if ((this.#lines.get(keyOf(line))?.version ?? 0) !== line.version) return null;
    const kept = { ...line, version: line.version + 1 };
    this.#lines.set(keyOf(line), kept);
    return kept;
  }

  async remove(line: Subscription): Promise<boolean> {
    if (this.#lines.get(keyOf(line))?.version !== line.version) return false;
    return this.#lines.delete(keyOf(line));
  }
}

function keyOf({ userId, service, name }: Subscription): string {
  return `${String(userId).padStart(16, '0')}/${service}/${name}`;
}
