import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { keptConnections } from '#test/support/network/kept-connections.ts';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

/** What a front changes: the request on its way in, or its whole answer. Header names are in lower case. */
export type Passing = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** An answer, or null for none, ever. */
export type Answered = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }> | null;

/** Answers itself, or passes the request on, changed or not. */
export type Front = (request: Passing, pass: (request: Passing) => Promise<Answered>) => Promise<Answered>;

const notPassed: readonly string[] = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'date',
];

/** The embedded vault behind a front that makes it another release of the notes app's server. */
export async function openVaultBehind(front: Front): Promise<TestVault> {
  const vault = await openTestVault();
  const pass = async ({ method, path, headers, body }: Passing): Promise<Answered> => {
    const isBare = method === 'GET' || method === 'DELETE';
    const answer = await fetch(vault.url + path, {
      method,
      headers,
      ...(isBare ? {} : { body: new Uint8Array(body) }),
    });
    return { status: answer.status, headers: plain([...answer.headers]), body: await answer.text() };
  };
  const server = createServer(
    keptConnections,
    (request, response) => void serve(request, response, (passing) => front(passing, pass)),
  );
  await new Promise<void>((settle) => {
    server.listen(0, '127.0.0.1', settle);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The front does not listen');
  return {
    ...vault,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((settle) => {
        server.close(settle);
      });
      await vault.close();
    },
  };
}

/** A vault of before the conditions: `If-Match`, `If-None-Match`, ETags and versions are unknown to it. */
export function openOlderVault(): Promise<TestVault> {
  return openVaultBehind(async (request, pass) => {
    const { 'if-match': _, 'if-none-match': __, ...headers } = request.headers;
    const answer = await pass({ ...request, headers });
    if (answer === null) return null;
    const { etag: ___, ...others } = answer.headers;
    const isNote = others['content-type']?.endsWith('note+json') === true;
    return { ...answer, headers: others, body: isNote ? withoutVersion(answer.body) : answer.body };
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: Passing) => Promise<Answered>,
): Promise<void> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const body = await buffer(request);
  const { method = 'GET', url: path = '/' } = request;
  const given = await answer({ method, path, headers: plain(headers), body });
  if (given !== null) response.writeHead(given.status, given.headers).end(given.body);
}

const plain = (headers: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(headers.filter(([name]) => !notPassed.includes(name)));

/** A note as JSON without its version. */
export function withoutVersion(body: string): string {
  const { version: _, ...note } = z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  return JSON.stringify(note);
}
