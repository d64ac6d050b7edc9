import { z } from 'zod';
import type { MessageListener, ServerMessages } from '#adapters/contracts/server-messages.ts';
import type { Store } from '#adapters/contracts/stores.ts';
import { FrameNumbers, type MessageFrame, readFrame } from '#adapters/persistence/message-frames.ts';
import { MessageSender } from '#adapters/persistence/message-sender.ts';
import { ServerMessageRow } from '#adapters/persistence/schema/server-messages.ts';
import { SignsOfLife } from '#adapters/persistence/signs-of-life.ts';
import type { Logger } from '#application/ports/logger.ts';
import { ListeningConnection } from '#infrastructure/database/listening-connection.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/**
 * How often a server sends a notification to itself and the others, how long that may take to arrive, how long
 * connecting may take, and for how long a server that does not listen is silent at most, in ms.
 */
export type MessageTiming = Readonly<{ pingMs: number; maxDelayMs: number; maxConnectMs: number; aliveMs: number }>;

/** Defaults. A silently dead connection is detected after the sum of the first two. */
export const messageTiming: MessageTiming = { pingMs: 5_000, maxDelayMs: 3_000, maxConnectMs: 3_000, aliveMs: 3_000 };

/** The options of messages over PostgreSQL; `url` is the database's direct address, bypassing any pooler. */
export type PostgresMessagesOptions = Readonly<{
  database: Database;
  url: string;
  serverId: string;
  logger: Logger;
  timing?: MessageTiming;
}>;

/** The maximum time to wait for published messages to be received, in ms. */
const maxSettleMs = 500;

const channel = 'portolan_messages';
/** The first key of the advisory locks that mark listening servers; the second is a hash of the server's id. */
const presence = 1_835_365_989;

/**
 * Carries messages between servers by LISTEN/NOTIFY. They are sent over the pool and received on a dedicated
 * connection. Each server receives its own notifications too: when they stop arriving, it reconnects. A program that
 * does not `open` only sends.
 */
export class PostgresMessages implements ServerMessages, Store {
  readonly #database: Database;
  readonly #id: string;
  readonly #logger: Logger;
  readonly #timing: MessageTiming;
  readonly #sender: MessageSender;
  readonly #connection: ListeningConnection;
  readonly #listeners = new Set<Readonly<{ listener: MessageListener }>>();
  readonly #numbers = new FrameNumbers();
  readonly #signs: SignsOfLife;
  #receiving: Promise<void> = Promise.resolve();
  #isHearing = false;
  #heardOwn = 0;
  readonly #settling = new Set<Readonly<{ n: number; resolve(): void }>>();
  #pinging: NodeJS.Timeout | undefined;
  #pingingDeaf: NodeJS.Timeout | undefined;
  #waiting: NodeJS.Timeout | undefined;

  constructor({ database, url, serverId, logger, timing = messageTiming }: PostgresMessagesOptions) {
    this.#database = database;
    this.#id = serverId;
    this.#logger = logger;
    this.#timing = timing;
    this.#signs = new SignsOfLife(timing.aliveMs);
    this.#sender = new MessageSender(database, channel, serverId, (n) => this.#expect(n));
    this.#connection = new ListeningConnection({
      url,
      channel,
      maxConnectMs: timing.maxConnectMs,
      // Held as long as the connection lasts: it tells other servers that this one listens.
      onConnected: (query) => query('select pg_advisory_lock_shared($1, hashtext($2))', [presence, serverId]),
      onNotification: (payload) => this.#receive(payload),
      onLost: (error) => this.#lost(error),
      onBack: () => this.#back(),
    });
  }

  /** Starts listening. Throws when the connection cannot be established. */
  async open(): Promise<void> {
    await this.#connection.open();
    this.#pinging = setInterval(() => this.#sender.ping(), this.#timing.pingMs).unref();
    this.#sender.ping();
    await this.#sender.prune();
  }

  /** Always ready: a message that cannot be sent yet is queued. */
  async ready(): Promise<void> {}

  publish(text: string): void {
    this.#sender.add(text);
  }

  async settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, maxSettleMs).unref();
    const settle = async () => {
      const n = await this.#sender.flushed();
      if (this.#heardOwn >= n || !this.#isHearing) resolve();
      else this.#settling.add({ n, resolve });
    };
    void settle();
    await promise;
    clearTimeout(timer);
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
    if (!this.#signs.isSilent(id, performance.now())) return false;
    const rows: readonly unknown[] = await this.#database.em.fork().execute(
      `select 1 from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
         and classid = ?::int4::oid and objid = hashtext(?)::oid
         and database = (select oid from pg_database where datname = current_database())
       limit 1`,
      [presence, id],
    );
    return rows.length === 0;
  }

  isAlone(): boolean {
    return false;
  }

  isHearing(): boolean {
    return this.#isHearing;
  }

  /** Sends what is queued, and stops listening. */
  async close(): Promise<void> {
    clearInterval(this.#pinging);
    clearInterval(this.#pingingDeaf);
    await this.#sender.close();
    clearTimeout(this.#waiting);
    this.#listeners.clear();
    this.#connection.close();
  }

  #receive(payload: string): void {
    const frame = readFrame(payload);
    if (frame === null) {
      this.#logger.warn({ bytes: payload.length }, 'A message between servers was not understood');
      return;
    }
    if (frame.from === this.#id) {
      // Anybody who may notify can send a frame in this server’s name.
      if (frame.n > this.#sender.lastNumber) return;
      this.#heardOwn = Math.max(this.#heardOwn, frame.n);
      this.#hears();
      for (const waiting of this.#settling) {
        if (waiting.n > frame.n) continue;
        this.#settling.delete(waiting);
        waiting.resolve();
      }
      return;
    }
    this.#signs.note(frame.from, performance.now());
    const sequence = this.#numbers.note(frame);
    if (sequence === 'repeated') return;
    // One frame after the other, since reading a row takes longer than handling the frames after it.
    this.#receiving = this.#takeAfter(this.#receiving, frame, sequence === 'after a gap');
  }

  async #takeAfter(before: Promise<void>, frame: MessageFrame, isAfterGap: boolean): Promise<void> {
    await before;
    if (isAfterGap) this.#missed();
    await this.#take(frame);
  }

  async #take({ texts }: MessageFrame): Promise<void> {
    for (const part of texts) {
      const text = typeof part === 'string' ? part : await this.#read(part);
      if (text === null) this.#missed();
      else this.#each(({ heard }) => heard(text));
    }
  }

  /** Reads a text from its row; null when that fails. */
  async #read(id: number): Promise<string | null> {
    try {
      const row = await new Table(this.#database, ServerMessageRow).find({ id });
      return row === null ? null : z.string().parse(JSON.parse(row.text));
    } catch (error) {
      this.#logger.warn({ err: error }, 'A message of another server could not be read');
      return null;
    }
  }

  /** Reconnects unless this server receives its own frame `n` in time. */
  #expect(n: number): void {
    if (!this.#connection.isConnected || this.#waiting !== undefined) return;
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      if (this.#heardOwn >= n || !this.#connection.isConnected) return;
      this.#logger.warn(
        {},
        'Notifications of the database do not arrive; reconnecting. Behind a pooler in transaction mode set DATABASE_DIRECT_URL to the address of this database past it',
      );
      this.#connection.renew();
    }, this.#timing.maxDelayMs).unref();
  }

  #hears(): void {
    if (!this.#isHearing) this.#signs.hearsSince(performance.now());
    this.#isHearing = true;
    clearInterval(this.#pingingDeaf);
    this.#pingingDeaf = undefined;
  }

  #lost(error: Error | null): void {
    if (error !== null)
      this.#logger.warn({ error: error.message }, 'The connection that receives other servers’ messages was lost');
    // The others see that this server listens no more; they hear that it goes on.
    this.#pingingDeaf ??= setInterval(() => this.#sender.ping(), this.#timing.aliveMs / 3).unref();
    if (!this.#isHearing) return;
    this.#isHearing = false;
    this.#signs.hearsSince(Number.POSITIVE_INFINITY);
    // Cached state may be stale from here on.
    this.#missed();
  }

  #back(): void {
    this.#numbers.clear();
    this.#missed();
    this.#sender.ping();
  }

  #missed(): void {
    this.#each(({ missed }) => missed());
  }

  #each(tell: (listener: MessageListener) => void): void {
    for (const { listener } of this.#listeners) {
      try {
        tell(listener);
      } catch (error) {
        this.#logger.error({ err: error }, 'A listener failed on a message of another server');
      }
    }
  }
}
