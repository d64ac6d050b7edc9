import { fitting, type MessageFrame, needsRow } from '#adapters/persistence/message-frames.ts';
import { ServerMessageRow } from '#adapters/persistence/schema/server-messages.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/**
 * How long texts are batched before they are sent, and the least time between two frames unless somebody waits, in ms:
 * each frame wakes all servers.
 */
const [gatherMs, spacingMs] = [5, 50];
/** The initial and the maximum back-off before a failed notification is retried, in ms. */
const backoff = { firstMs: 50, longestMs: 2_000 } as const;
/**
 * The maximum length of the queue, in characters; beyond it the queue is dropped, and the other servers notice the gap.
 */
const maxWaiting = 32 << 20;
/** The maximum number of texts that are considered for one frame. */
const mostInFrame = 200;
/** How long a row is kept, in ms: the servers read it as soon as they are notified. */
const rowLifetimeMs = 60_000;

/**
 * Sends texts as notifications: batched, in order, and outside the transactions of the work they concern, since NOTIFY
 * takes a global lock at commit. A failed notification is retried unchanged.
 */
export class MessageSender {
  readonly #database: Database;
  readonly #rows;
  readonly #channel: string;
  readonly #from: string;
  readonly #onSent: (n: number) => void;
  #waiting: string[] = [];
  #length = 0;
  #frames = 0;
  #wantsPing = false;
  #outgoing: MessageFrame | null = null;
  #gathering: NodeJS.Timeout | undefined;
  #sending: Promise<void> | null = null;
  #pruning: NodeJS.Timeout | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** `onSent` is called with the number of each frame that the database has accepted. */
  constructor(database: Database, channel: string, from: string, onSent: (n: number) => void) {
    this.#database = database;
    this.#rows = new Table(database, ServerMessageRow);
    this.#channel = channel;
    this.#from = from;
    this.#onSent = onSent;
  }

  /** The number of the last frame that may have been sent. */
  get lastNumber(): number {
    return this.#frames;
  }

  /** Queues a text. */
  add(text: string): void {
    if (this.#isClosed) return;
    if (this.#length > maxWaiting) this.#drop();
    this.#waiting.push(text);
    this.#length += text.length;
    const waitMs = Math.max(gatherMs, this.#sentAt + spacingMs - performance.now());
    this.#gathering ??= setTimeout(() => this.#send(), waitMs);
  }

  /** Sends everything queued; resolves with the number of the last frame once all are sent. */
  async flushed(): Promise<number> {
    if (this.#waiting.length > 0) this.#send();
    await this.#sending;
    return this.#frames;
  }

  /** Sends a frame without texts, unless a frame is in flight. */
  ping(): void {
    if (this.#isClosed || this.#sending !== null) return;
    this.#wantsPing = true;
    this.#send();
  }

  /** Deletes rows that every server has long read, whichever server wrote them. */
  async prune(): Promise<void> {
    this.#pruning = undefined;
    await this.#rows.delete({ createdAt: { $lt: Date.now() - rowLifetimeMs } });
  }

  /** Sends what is queued, for at most one second, and accepts nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiting.length > 0) this.#send();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, 1_000);
    await Promise.race([this.#sending, late.promise]);
    clearTimeout(timer);
    clearTimeout(this.#gathering);
    clearTimeout(this.#pruning);
    this.#drop();
  }

  #send(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
  }

  async #sendAll(): Promise<void> {
    let waitMs: number = backoff.firstMs;
    while (this.#outgoing !== null || this.#wantsPing || this.#isDue()) {
      try {
        this.#outgoing ??= await this.#next();
        this.#sentAt = performance.now();
        await this.#notify(this.#outgoing);
        waitMs = backoff.firstMs;
      } catch {
        // The database is unavailable; callers who need to know see it from their own statements.
        await new Promise((resolve) => {
          setTimeout(resolve, waitMs).unref();
        });
        waitMs = Math.min(waitMs * 2, backoff.longestMs);
      }
    }
  }

  /** Whether texts wait that have been batched for long enough. */
  #isDue(): boolean {
    return this.#waiting.length > 0 && this.#gathering === undefined;
  }

  /** Builds a frame from as many of the first texts as fit. */
  async #next(): Promise<MessageFrame> {
    this.#wantsPing = false;
    const [first] = this.#waiting;
    let texts: MessageFrame['texts'] = [];
    if (first !== undefined && needsRow(first)) {
      texts = [await this.#keep(first)];
    } else {
      const some = this.#waiting.slice(0, mostInFrame);
      const long = some.findIndex(needsRow);
      const short = long === -1 ? some : some.slice(0, long);
      texts = short.slice(0, fitting(short));
    }
    this.#frames += 1;
    // The queue may have been dropped while a row was written.
    const count = this.#waiting[0] === first ? texts.length : 0;
    const sent = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const { length } of sent) this.#length -= length;
    return { v: 1, from: this.#from, n: this.#frames, texts };
  }

  async #notify(frame: MessageFrame): Promise<void> {
    await this.#database.direct.execute('select pg_notify(?, ?)', [this.#channel, JSON.stringify(frame)]);
    this.#outgoing = null;
    this.#onSent(frame.n);
  }

  /** Stores a text that is too long for a notification; returns the id of its row. */
  async #keep(text: string): Promise<number> {
    // As JSON, since the database does not store NUL.
    const query = this.#rows
      .qb()
      .insert({ text: JSON.stringify(text), createdAt: Date.now() })
      .returning(['id']);
    const [row] = await this.#rows.some(query, ['id']);
    this.#pruning ??= setTimeout(() => void this.prune().catch(() => undefined), rowLifetimeMs + 1_000).unref();
    if (row === undefined) throw new Error('The database stored no message');
    return row.id;
  }

  /** Drops the queue. The skipped frame number tells the other servers that something is missing. */
  #drop(): void {
    if (this.#waiting.length > 0) this.#frames += 1;
    this.#waiting = [];
    this.#length = 0;
  }
}
