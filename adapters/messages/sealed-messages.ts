import { z } from 'zod';
import type { ServerMessages } from '#adapters/contracts/server-messages.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import { messageOf } from '#domain/shared/error-text.ts';

/** Encrypts and decrypts texts; `open` throws for a text that it did not encrypt. */
export type MessageBox = Readonly<{
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}>;

const envelopeSchema = z.object({
  from: z.string(),
  /** When it was published, and which one it is of its publisher. */
  at: z.number(),
  n: z.number(),
  to: z.string().optional(),
  topic: z.string(),
  body: z.unknown(),
});

/** The context that messages are encrypted with. */
const context = 'server messages';

/** How old a message may be, or how far the clocks of two servers may be apart, in ms. */
const maxAgeMs = 30_000;

/** The maximum number of publishers whose last message is remembered; whoever published least recently is forgotten. */
const maxPublishers = 1_000;

/** The minimum interval between warnings about ignored messages, in ms. */
const warnEveryMs = 60_000;

type Hearing = (body: unknown, from: string) => void;

/**
 * Exchanges encrypted messages with the other servers. Messages that were not encrypted with a key of this server, that
 * come again or are too old are ignored, so that access to the database alone does not allow sending commands.
 */
export class SealedMessages implements OtherServers {
  readonly serverId: string;
  readonly #messages: ServerMessages;
  readonly #box: MessageBox;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lastOf = new Map<string, number>();
  readonly #topics = new Map<string, Set<Hearing>>();
  readonly #onMissed = new Set<() => void>();
  #published = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(
    messages: ServerMessages,
    { box, clock, logger }: Readonly<{ box: MessageBox; clock: Clock; logger: Logger }>,
  ) {
    this.serverId = messages.ownId();
    this.#messages = messages;
    this.#box = box;
    this.#clock = clock;
    this.#logger = logger;
    messages.listen({ heard: (text) => this.#heard(text), missed: () => this.#missed() });
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
    this.#published += 1;
    const envelope = { from: this.serverId, at: this.#clock.now(), n: this.#published, to, topic, body };
    this.#messages.publish(this.#box.seal(JSON.stringify(envelope), context));
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
    const { from, at, n, to, topic, body } = envelope;
    if (n <= (this.#lastOf.get(from) ?? 0)) {
      this.#warn('It came again');
      return;
    }
    if (Math.abs(this.#clock.now() - at) > maxAgeMs) {
      this.#warn('It is older than 30 s, or the clocks of the servers differ by as much');
      this.#missed();
      return;
    }
    this.#note(from, n);
    if (to !== undefined && to !== this.serverId) return;
    // A topic without listeners is one of another version.
    for (const listener of this.#topics.get(topic) ?? []) listener(body, from);
  }

  #opened(text: string): z.output<typeof envelopeSchema> | null {
    try {
      return envelopeSchema.parse(JSON.parse(this.#box.open(text, context)));
    } catch (error) {
      this.#warn(messageOf(error));
      return null;
    }
  }

  #note(from: string, n: number): void {
    this.#lastOf.delete(from);
    this.#lastOf.set(from, n);
    if (this.#lastOf.size > maxPublishers) this.#lastOf.delete(this.#lastOf.keys().next().value ?? '');
  }

  #missed(): void {
    for (const run of this.#onMissed) run();
  }

  #warn(reason: string): void {
    const now = performance.now();
    if (now - this.#warnedAt <= warnEveryMs) return;
    this.#warnedAt = now;
    this.#logger.warn({ reason }, 'A message between servers is ignored');
  }
}
