import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '#test/kit/free-port.ts';

/** A way to a PostgreSQL that counts the statements that pass. */
export type StatementCounter = Readonly<{
  port: number;
  /** How many statements have passed so far. */
  count(): number;
  /** The texts of those that passed since this was asked last, at most 10,000. */
  texts(): readonly string[];
  close(): Promise<void>;
}>;

/**
 * What servers ask by the clock, however many calls come: due work, refused connections, periods of jobs, whether they hear each
 * other, and what apps did, which is stored once a second.
 */
const askedByTheClock = [
  /webhook_inbox/,
  /where "c0"\."probe_at" <=/,
  /^select pg_notify/,
  /^insert into activity /,
  // With its sums by the hour, in a transaction; another one would have statements of its own.
  /^insert into usage_counts/,
  /^insert into activity_apps /,
  /^(?:begin|commit)$/,
  /\bleases\b/,
  /\breaction_/,
];

/** Whether a server sends the statement by the clock. Statements of deliveries look the same. */
export const isByTheClock = (text: string): boolean => askedByTheClock.some((known) => known.test(text));

const maxTexts = 10_000;

/** Listens on a port of its own before the PostgreSQL on `targetPort`. */
export async function countStatements(targetPort: number): Promise<StatementCounter> {
  const sockets = new Set<Socket>();
  let statements = 0;
  let texts: string[] = [];
  // A long answer passes in pieces, the last of which would otherwise wait 40 ms for the others to be acknowledged.
  const server = createServer({ noDelay: true }, (incoming) => {
    const outgoing = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const messages = new FrontendMessages((statement) => {
      statements += 1;
      if (texts.length < maxTexts) texts.push(statement);
    });
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (from === incoming) messages.read(chunk);
        to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    count: () => statements,
    texts: () => {
      const taken = texts;
      texts = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * Reads the statements that a client runs: simple queries, and executions of prepared ones (PostgreSQL 18 §54.7). The first message
 * has no type: it opens the connection.
 */
class FrontendMessages {
  readonly #onStatement: (text: string) => void;
  readonly #prepared = new Map<string, string>();
  #bound = '';
  #rest: Buffer = Buffer.alloc(0);
  #isOpened = false;

  constructor(onStatement: (text: string) => void) {
    this.#onStatement = onStatement;
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const start = this.#isOpened ? 1 : 0;
      if (this.#rest.length < start + 4) return;
      const length = start + this.#rest.readUInt32BE(start);
      if (this.#rest.length < length) return;
      if (this.#isOpened) this.#take(String.fromCharCode(this.#rest[0] ?? 0), this.#rest.subarray(5, length));
      // A request for encryption is answered with 'N', and the opening message follows (§54.2.11).
      else if (this.#rest.readUInt32BE(4) !== 80_877_103) this.#isOpened = true;
      this.#rest = this.#rest.subarray(length);
    }
  }

  #take(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'Q') this.#onStatement(first);
    if (type === 'P') this.#prepared.set(first, second);
    if (type === 'B') this.#bound = this.#prepared.get(second) ?? '';
    if (type === 'E') this.#onStatement(this.#bound);
  }
}
