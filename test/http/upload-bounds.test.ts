import { once } from 'node:events';
import { createServer } from 'node:http';
import Koa from 'koa';
import { afterEach, expect, it } from 'vitest';
import { readUpload } from '#adapters/http/files.ts';

const app = new Koa();
app.use(async (ctx) => {
  ctx.body = await readUpload(ctx, 'file');
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('JSON with a file in it is bounded, and what would be right is said', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const send = async (bytes: number) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify('x'.repeat(bytes)) });
    return answer.json();
  };
  expect(await send(10)).toEqual({ ok: true, data: 'x'.repeat(10) });
  expect(await send(8 * 1024 * 1024)).toMatchObject({
    ok: false,
    reason: 'too_large',
    message: expect.stringContaining('as the raw body'),
  });
});
