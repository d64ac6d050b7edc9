import { z } from 'zod';
import type { AccountChange, Changes, NoteChange, ResourceChange } from '#adapters/contracts/changes.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';

/**
 * A kind of change as servers send it to each other. With `sameMs`, the same change within so many ms is sent once: many
 * deliveries may change one resource.
 */
type Kind<Change> = Readonly<{
  topic: string;
  schema: z.ZodType<Change>;
  sameMs: number | null;
  /** Whether every server sees the change by itself, so that it is not sent; false if not given. */
  isSeenByAll?: (change: Change) => boolean;
}>;

/** The changes of users' rights and connections. */
export const accounts: Kind<AccountChange> = {
  topic: 'account',
  schema: z.object({ userId: z.number().int() }),
  sameMs: null,
};

/** The changes of notes. */
export const notes: Kind<NoteChange> = {
  topic: 'note',
  schema: z.object({
    userId: z.number().int().nullable(),
    path: z.string(),
    kind: z.enum(['made', 'changed', 'gone']),
  }),
  sameMs: null,
  // Each server follows the folder of the team's notes (`followWrites`).
  isSeenByAll: ({ userId }) => userId === null,
};

/** The changes of other resources. */
export const resources: Kind<ResourceChange> = {
  topic: 'resource',
  schema: z.object({ address: z.string() }),
  sameMs: 500,
};

/** Publishes changes to this server's listeners and to all other servers, and relays theirs. */
export class RelayedChanges<Change extends object> implements Changes<Change> {
  readonly #bus = new EventBus<Change>();
  readonly #kind: Kind<Change>;
  readonly #others: OtherServers;
  readonly #waiting = new Set<string>();

  constructor(kind: Kind<Change>, others: OtherServers) {
    this.#kind = kind;
    this.#others = others;
    others.subscribe(kind.topic, (body) => {
      const change = kind.schema.safeParse(body);
      if (change.success) this.#bus.publish(change.data);
    });
  }

  /** True as well when there are other servers, since they may have listeners. */
  get hasListeners(): boolean {
    return this.#bus.hasListeners || !this.#others.isAlone();
  }

  publish(change: Change): void {
    this.#bus.publish(change);
    const { topic, schema, sameMs, isSeenByAll } = this.#kind;
    if (this.#others.isAlone() || isSeenByAll?.(change) === true) return;
    if (sameMs === null) {
      this.#others.publish(topic, change);
      return;
    }
    const key = JSON.stringify(schema.parse(change));
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    // Sent at the end of the window, so that a change within it is not lost on the other servers.
    setTimeout(() => {
      this.#waiting.delete(key);
      this.#others.publish(topic, change);
    }, sameMs);
  }

  listen(listener: (change: Change) => void): () => void {
    return this.#bus.listen(listener);
  }
}
