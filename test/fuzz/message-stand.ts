import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MemoryServerMessages } from '#adapters/memory/memory-server-messages.ts';
import { type MessageBox, SealedMessages } from '#adapters/messages/sealed-messages.ts';
import { PostgresMessages } from '#adapters/persistence/postgres-messages.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { openStand } from '#test/faults/stand.ts';
import type { Answered } from '#test/fuzz/judge.ts';
import { type FuzzRequest, toolRequest } from '#test/fuzz/requests.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres } from '#test/support/persistence/test-database.ts';

const maxWaitMs = 20_000;
const logger = openLogger('silent');

/** A server on PostgreSQL, and how to send it messages as another server of its database would; why not, when there is no PostgreSQL. */
export async function openMessageStand() {
  const postgres = await startPostgres();
  if (typeof postgres === 'string') return postgres;
  const secret = randomBytes(48).toString('base64url');
  const { database, url, close } = await openTestPostgres(postgres.url);
  const env = { DATABASE_URL: url, SECRET_KEY_BASE: secret, LOG_LEVEL: 'error' };
  const stand = await openStand({ env, isConnected: false });
  const leaving = new AbortController();
  const stream = await openStream(stand, leaving.signal);
  const wire = new PostgresMessages({ database, url, serverId: 'fuzz', logger });

  async function publish(text: string): Promise<void> {
    wire.publish(text);
    await wire.settled();
  }

  const linesIn = async (path: string): Promise<number> =>
    (await readFile(join(stand.dataDir, 'vault', path), 'utf8').catch(() => '')).split('line').length - 1;

  /** Publishes a message that is right, and waits until the server has acted on it. */
  async function isHeard(path: string, text = sealed(secret, postOf(stream, path))): Promise<boolean> {
    await publish(text);
    const endAt = performance.now() + maxWaitMs;
    while (performance.now() < endAt) {
      if ((await linesIn(path)) > 0) return true;
      await delay(10);
    }
    return false;
  }

  /** 200 when the server acts on the message, 500 when it fails at it or no longer hears those that are right, else 400. */
  async function statusOf({ method: wrong, body }: FuzzRequest): Promise<number> {
    const value: unknown = JSON.parse(body ?? 'null');
    const id = randomBytes(9).toString('hex');
    const text = sealed(secret, postOf(stream, `${id}.md`), wrong, value);
    if (wrong === 'repeated' && !(await isHeard(`${id}.md`, text))) return 500;
    if (wrong !== 'notification') await publish(wrong === 'text' ? textOf(value) : text);
    else {
      const payload = textOf(value).replaceAll('\0', '').toWellFormed().slice(0, 2_000);
      await database.em.fork().execute('select pg_notify(?, ?)', ['portolan_messages', payload]);
    }
    if (!(await isHeard(`${id} after.md`)) || stand.server().log() !== '') return 500;
    return (await linesIn(`${id}.md`)) > (wrong === 'repeated' ? 1 : 0) ? 200 : 400;
  }

  return {
    send: async (request: FuzzRequest): Promise<Answered> => {
      const begunAt = performance.now();
      const status = await statusOf(request);
      return { status, text: stand.server().log().slice(-2_000), tookMs: performance.now() - begunAt };
    },
    [Symbol.asyncDispose]: async () => {
      leaving.abort();
      await wire.close();
      await stand[Symbol.asyncDispose]();
      await close();
      await postgres.stop();
    },
  };
}

/** Opens a stream of the user, which other servers forward posts to; its id. */
async function openStream(
  { baseUrl, token }: Readonly<{ baseUrl: string; token: string }>,
  signal: AbortSignal,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const { body } = await fetch(`${baseUrl}/sse`, { headers, signal });
  if (body === null) throw new Error('There is no stream.');
  const [left, right] = body.tee();
  const { value } = await left.getReader().read();
  void right.pipeTo(new WritableStream()).catch(() => undefined);
  return /sessionId=([\w.-]+)/.exec(Buffer.from(value ?? []).toString())?.[1] ?? '';
}

/** What a server sends to the one with the stream: a call that writes a line into a note. */
function postOf(stream: string, path: string): object {
  const { body } = toolRequest('tool', 'vault_note_write', { path, content: 'line\n', mode: 'append' });
  const user = { id: 1, permissions: ['vault'], isAdmin: true };
  return { ref: 1, stream, user, version: null, value: JSON.parse(body ?? '') };
}

/** A message as a server with that secret seals it, but for what is wrong with it. */
function sealed(secret: string, post: object, wrong = '', value: unknown = null): string {
  let text = '';
  const publish = (one: string): void => {
    text = one;
  };
  const messages = Object.assign(new MemoryServerMessages(), { isAlone: () => false, publish });
  const clock = { now: () => Date.now() - (wrong === 'age' ? Number(value) : 0) };
  const sender = new SealedMessages(messages, { box: boxOf(secret, wrong, value), clock, logger });
  const [topic, body] = wrong === 'body' && Array.isArray(value) ? value : ['mcp post', post];
  sender.publish(
    wrong === 'kind' ? String(value) : topic,
    body,
    wrong === 'another server' ? String(value) : undefined,
  );
  return text;
}

function boxOf(secret: string, wrong: string, value: unknown): MessageBox {
  const own = boxFor('messages', [secret]);
  if (wrong === 'another secret') return boxFor('messages', [`${secret}x${String(value)}`]);
  if (wrong === 'another purpose') return boxFor('tokens', [secret]);
  if (wrong !== 'envelope') return own;
  return { seal: (_, context) => own.seal(textOf(value), context), open: (text, context) => own.open(text, context) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
