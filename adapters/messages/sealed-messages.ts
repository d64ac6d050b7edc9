import { z } from 'zod';
import type { Logger } from '#application/ports/logger.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { ServerMessages } from '#application/ports/server-messages.ts';

/** Encrypts and decrypts texts; `open` throws for a text that it did not encrypt. */
export type MessageBox = Readonly<{
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}>;

const envelopeSchema = z.object({
  from: z.string(),
  to: z.string().optional(),
  topic: z.string(),
  body: z.unknown(),
});

/** The context that messages are encrypted with. */
const context = 'server messages';

/** The minimum interval between warnings about unreadable messages, in ms. */
const warnEveryMs = 60_000;

type Hearing = (body: unknown, from: string) => void;

/**
 * Exchanges encrypted messages with the other servers. Messages that were not encrypted with a key of this server are
 * ignored, so that access to the database alone does not allow sending commands.
 */
export class SealedMessages implements OtherServers {
  readonly serverId: string;
  readonly #messages: ServerMessages;
  readonly #box: MessageBox;
  readonly #logger: Logger;
  readonly #topics = new Map<string, Set<Hearing>>();
  readonly #onMissed = new Set<() => void>();
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(messages: ServerMessages, { box, logger }: Readonly<{ box: MessageBox; logger: Logger }>) {
    this.serverId = messages.ownId();
    this.#messages = messages;
    this.#box = box;
    this.#logger = logger;
    messages.listen({
      heard: (text) => this.#heard(text),
      missed: () => {
        for (const run of this.#onMissed) run();
      },
    });
  }

  isAlone(): boolean {
    return this.#messages.isAlone();
  }

  isHearing(): boolean {
    return this.#messages.isHearing();
  }

  async isGone(id: string): Promise<boolean> {
    try {
      return await this.#messages.isGone(id);
    } catch {
      return false;
    }
  }

  publish(topic: string, body: object, to?: string): void {
    if (this.isAlone()) return;
    this.#messages.publish(this.#box.seal(JSON.stringify({ from: this.serverId, to, topic, body }), context));
  }

  settled(): Promise<void> {
    return this.#messages.settled();
  }

  subscribe(topic: string, listener: Hearing): () => void {
    const own: Hearing = (body, from) => listener(body, from);
    const all = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, all.add(own));
    return () => void all.delete(own);
  }

  onMissed(run: () => void): () => void {
    const own = (): void => run();
    this.#onMissed.add(own);
    return () => void this.#onMissed.delete(own);
  }

  #heard(text: string): void {
    const envelope = this.#opened(text);
    if (envelope === null) return;
    const { from, to, topic, body } = envelope;
    if (to !== undefined && to !== this.serverId) return;
    // A topic without listeners is one of another version.
    for (const listener of this.#topics.get(topic) ?? []) listener(body, from);
  }

  #opened(text: string): z.output<typeof envelopeSchema> | null {
    try {
      return envelopeSchema.parse(JSON.parse(this.#box.open(text, context)));
    } catch (error) {
      const now = performance.now();
      if (now - this.#warnedAt > warnEveryMs) {
        this.#warnedAt = now;
        const reason = error instanceof Error ? error.message : String(error);
        this.#logger.warn({ reason }, 'A message between servers could not be opened; it is ignored');
      }
      return null;
    }
  }
}
