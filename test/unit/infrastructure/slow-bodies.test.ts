import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowUpload, limitBodies } from '#infrastructure/http/server-bodies.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

let server: LoopbackServer;
/** Called by the server with each request. */
let onRequest: (message: IncomingMessage) => void;
/** What the server waits for between the body and its answer. */
let answers: Promise<void>;

beforeEach(async () => {
  onRequest = () => undefined;
  answers = Promise.resolve();
  const echo = limitBodies(
    (message, response) => {
      onRequest(message);
      const answer = async () => {
        const body = await text(message);
        await answers;
        response.end(body);
      };
      answer().catch(() => undefined);
    },
    { bodyMs: 200, uploadMs: 600_000 },
  );
  server = await serveOnLoopback((message, response) => echo(message, response));
});
afterEach(() => server.close());

/** A request whose body has begun. */
async function begun(): Promise<Readonly<{ sent: ClientRequest; answered: Promise<IncomingMessage> }>> {
  const sent = request(server.url, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
  const answered = once(sent, 'response').then(([response]: IncomingMessage[]) => {
    if (response === undefined) throw new Error('no answer');
    return response;
  });
  sent.on('error', () => undefined);
  sent.write('a');
  await once(sent, 'socket');
  return { sent, answered };
}

describe('a body that arrives', () => {
  it('too slowly ends with 408, however steadily it arrives (EDGE-017)', async () => {
    const { sent, answered } = await begun();
    const dripping = setInterval(() => sent.write('a'), 20);
    const response = await answered;
    clearInterval(dripping);
    expect([response.statusCode, response.headers.connection]).toEqual([408, 'close']);
    expect(await text(response)).toContain('took too long');
  });

  it.each([
    ['in time is read, however long its answer takes', () => undefined, true],
    ['for an upload may take longer', allowUpload, false],
  ] as const)('is timed fairly: %s (EDGE-017)', async (_, treat, endsFirst) => {
    const seen = Promise.withResolvers<IncomingMessage>();
    const answering = Promise.withResolvers<void>();
    answers = answering.promise;
    onRequest = (message) => {
      treat(message);
      seen.resolve(message);
    };
    const { sent, answered } = await begun();
    const message = await seen.promise;
    if (endsFirst) {
      sent.end('b');
      await once(message, 'close');
    }
    // Another one begins later, and is too slow.
    onRequest = () => undefined;
    const other = await begun();
    expect((await other.answered).statusCode).toBe(408);
    if (!endsFirst) sent.end('b');
    answering.resolve();
    const response = await answered;
    expect([response.statusCode, await text(response)]).toEqual([200, 'ab']);
  });
});
