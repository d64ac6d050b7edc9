import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { stylesheet } from '#adapters/http/static-files.ts';
import { packageFile } from '#infrastructure/program/program-files.ts';
import type { Chronicle } from '#test/demo/chronicle.ts';

/** The running page. */
export type DemoPage = Readonly<{ url: string; close(): Promise<void> }>;

const fileOf = (path: string) => readFileSync(packageFile(path));

/** All that is served apart from the events; nothing comes from anywhere else. */
const files: ReadonlyMap<string, Readonly<{ type: string; body: Buffer }>> = new Map([
  ['/', { type: 'text/html; charset=utf-8', body: fileOf('test/demo/page/demo.html') }],
  ['/demo.css', { type: 'text/css; charset=utf-8', body: fileOf('test/demo/page/demo.css') }],
  ['/demo.js', { type: 'text/javascript; charset=utf-8', body: fileOf('test/demo/page/demo.js') }],
  ['/portolan.css', { type: 'text/css; charset=utf-8', body: Buffer.from(stylesheet) }],
  ['/portolan.svg', { type: 'image/svg+xml', body: fileOf('adapters/http/static/portolan.svg') }],
]);

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Serves the page that shows the chronicle, on loopback only; on a free port where `port` is taken. */
export async function startPage(chronicle: Chronicle, port: number): Promise<DemoPage> {
  const server = createServer((request, response) => answer(request, response, chronicle));
  const taken = await listen(server, port).catch(() => listen(server, 0));
  return {
    url: `http://localhost:${taken}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function answer({ method, url = '/', headers: sent }: IncomingMessage, response: ServerResponse, chronicle: Chronicle) {
  // The page shows a password: a name that was made to lead here (DNS rebinding) is not served.
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(sent.host ?? '')) return response.writeHead(403, headers).end();
  if (method !== 'GET') return response.writeHead(405, { ...headers, allow: 'GET' }).end();
  if (url === '/events') return sendEvents(response, chronicle);
  const file = files.get(url);
  if (file === undefined) return response.writeHead(404, headers).end('Not found');
  return response.writeHead(200, { ...headers, 'content-type': file.type }).end(file.body);
}

/** Everything at once, and again at each change. A reader that does not keep up gets the newest only. */
function sendEvents(response: ServerResponse, chronicle: Chronicle): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  let isFull = false;
  const send = () => {
    if (isFull) return;
    isFull = !response.write(`data: ${JSON.stringify(chronicle.now)}\n\n`);
    if (isFull) {
      response.once('drain', () => {
        isFull = false;
        send();
      });
    }
  };
  const forget = chronicle.onChange(send);
  response.once('close', forget);
  send();
}
