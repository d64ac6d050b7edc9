import type { MessageListener, ServerMessages } from '#adapters/contracts/server-messages.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';

/** Messages between the servers of one process that share a `hub`. A server without a hub is alone. */
export class MemoryServerMessages implements ServerMessages {
  readonly #hub: Set<MemoryServerMessages>;
  readonly #listeners = new Set<Readonly<{ listener: MessageListener }>>();

  readonly #id: string;

  constructor(hub: Set<MemoryServerMessages> = new Set(), id = systemRandom.token(9)) {
    this.#hub = hub;
    this.#id = id;
    hub.add(this);
  }

  publish(text: string): void {
    for (const server of this.#hub) if (server !== this) setImmediate(() => server.#hear(text));
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  listen(listener: MessageListener): () => void {
    const own = { listener };
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  ownId(): string {
    return this.#id;
  }

  async isGone(id: string): Promise<boolean> {
    return [...this.#hub].every((server) => server.#id !== id);
  }

  isAlone(): boolean {
    return this.#hub.size === 1;
  }

  /** False for a server that is alone: it does not hear the commands that run beside it, in other processes. */
  isHearing(): boolean {
    return !this.isAlone();
  }

  /** Leaves the hub. */
  leave(): void {
    this.#hub.delete(this);
    this.#listeners.clear();
  }

  #hear(text: string): void {
    for (const { listener } of this.#listeners) {
      try {
        listener.heard(text);
      } catch {
        // The remaining listeners are still called.
      }
    }
  }
}
