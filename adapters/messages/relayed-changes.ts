import { z } from 'zod';
import type { AccountChange, AccountChanges } from '#application/ports/account-changes.ts';
import type { NoteChange, NoteChanges } from '#application/ports/note-changes.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { ResourceChange, ResourceChanges } from '#application/ports/resource-changes.ts';

const accountSchema = z.object({ userId: z.number().int() });
const resourceSchema = z.object({ address: z.string() });
const noteSchema = z.object({
  userId: z.number().int().nullable(),
  path: z.string(),
  kind: z.enum(['made', 'changed', 'gone']),
});

/** Publishes changes of accounts to this server’s listeners and to all other servers, and relays theirs. */
export class RelayedAccountChanges implements AccountChanges {
  readonly #inner: AccountChanges;
  readonly #others: OtherServers;

  constructor(inner: AccountChanges, others: OtherServers) {
    this.#inner = inner;
    this.#others = others;
    others.subscribe('account', (body) => {
      const change = accountSchema.safeParse(body);
      if (change.success) inner.publish(change.data);
    });
  }

  publish(change: AccountChange): void {
    this.#inner.publish(change);
    this.#others.publish('account', change);
  }

  listen(listener: (change: AccountChange) => void): () => void {
    return this.#inner.listen(listener);
  }
}

/**
 * The window in which the same change of a note is published once, in ms: several servers may see it in a shared
 * folder.
 */
const sameMs = 20;

/** Publishes changes of notes to this server’s listeners and to all other servers, and relays theirs. */
export class RelayedNoteChanges implements NoteChanges {
  readonly #inner: NoteChanges;
  readonly #others: OtherServers;
  readonly #published = new Set<string>();

  constructor(inner: NoteChanges, others: OtherServers) {
    this.#inner = inner;
    this.#others = others;
    others.subscribe('note', (body) => {
      const change = noteSchema.safeParse(body);
      if (change.success) inner.publish(change.data);
    });
  }

  /** True as well when there are other servers, since they may have listeners. */
  get hasListeners(): boolean {
    return this.#inner.hasListeners || !this.#others.isAlone();
  }

  publish(change: NoteChange): void {
    this.#inner.publish(change);
    if (this.#others.isAlone()) return;
    const key = JSON.stringify([change.userId, change.path, change.kind]);
    if (this.#published.has(key)) return;
    this.#published.add(key);
    // Published at the end of the window, so that a change within it is not lost on the other servers.
    setTimeout(() => {
      this.#published.delete(key);
      this.#others.publish('note', change);
    }, sameMs);
  }

  listen(listener: (change: NoteChange) => void): () => void {
    return this.#inner.listen(listener);
  }
}

/** The window in which the same resource is published once, in ms: many deliveries may change it. */
const sameResourceMs = 500;

/** Publishes changes of resources to this server’s listeners and to all other servers, and relays theirs. */
export class RelayedResourceChanges implements ResourceChanges {
  readonly #inner: ResourceChanges;
  readonly #others: OtherServers;
  readonly #published = new Set<string>();

  constructor(inner: ResourceChanges, others: OtherServers) {
    this.#inner = inner;
    this.#others = others;
    others.subscribe('resource', (body) => {
      const change = resourceSchema.safeParse(body);
      if (change.success) inner.publish(change.data);
    });
  }

  publish(change: ResourceChange): void {
    this.#inner.publish(change);
    if (this.#others.isAlone() || this.#published.has(change.address)) return;
    this.#published.add(change.address);
    // Sent at the end of the window, so that a change within it is not lost on the other servers.
    setTimeout(() => {
      this.#published.delete(change.address);
      this.#others.publish('resource', change);
    }, sameResourceMs).unref();
  }

  listen(listener: (change: ResourceChange) => void): () => void {
    return this.#inner.listen(listener);
  }
}
