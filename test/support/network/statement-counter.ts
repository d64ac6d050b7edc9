import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '#test/kit/free-port.ts';

/** A way to a PostgreSQL that counts the statements that pass. */
export type StatementCounter = Readonly<{
  port: number;
  /** How many statements have passed so far. */
  count(): number;
  close(): Promise<void>;
}>;

/** The frontend messages that run a statement: simple queries, and executions of prepared ones (PostgreSQL 18 §54.7). */
const running = [0x51, 0x45];

/** Listens on a port of its own before the PostgreSQL on `targetPort`. */
export async function countStatements(targetPort: number): Promise<StatementCounter> {
  const sockets = new Set<Socket>();
  let statements = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    const messages = new FrontendMessages((type) => {
      if (running.includes(type)) statements += 1;
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Splits what a client sends into messages. The first has no type: it opens the connection. */
class FrontendMessages {
  readonly #onMessage: (type: number) => void;
  #rest: Buffer = Buffer.alloc(0);
  #isOpened = false;

  constructor(onMessage: (type: number) => void) {
    this.#onMessage = onMessage;
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const start = this.#isOpened ? 1 : 0;
      if (this.#rest.length < start + 4) return;
      const length = start + this.#rest.readUInt32BE(start);
      if (this.#rest.length < length) return;
      if (this.#isOpened) this.#onMessage(this.#rest[0] ?? 0);
      // A request for encryption is answered with 'N', and the opening message follows (§54.2.11).
      else if (this.#rest.readUInt32BE(4) !== 80_877_103) this.#isOpened = true;
      this.#rest = this.#rest.subarray(length);
    }
  }
}
