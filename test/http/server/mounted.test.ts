import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPortolan, type Portolan } from '#bootstrap/package/index.ts';
import { memoryStores } from '#bootstrap/package/testing.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

const admin = { email: 'ada@example.com', password: 'a password of ours' };

/** A web server on a free port, with everything below it answered by `listener`. */
type Mounted = Readonly<{ port: number; close(): Promise<void> }>;
type Mount = (listener: RequestListener) => Promise<Mounted>;

async function listening(server: Server): Promise<Mounted> {
  if (!server.listening) await once(server, 'listening');
  const address = server.address();
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close };
}

const mounts: readonly (readonly [string, Mount])[] = [
  ['node:http', (listener) => listening(createServer(listener).listen(0, '127.0.0.1'))],
  [
    'Express',
    (listener) => {
      const app = express();
      app.get('/own', (_, response) => void response.send('own'));
      app.use(listener);
      return listening(app.listen(0, '127.0.0.1'));
    },
  ],
  [
    'Fastify',
    async (listener) => {
      const app = fastify({ forceCloseConnections: true });
      app.get('/own', async () => 'own');
      // The bodies are read by the listener.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, _payload, done) => done(null));
      app.all('/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
      await app.listen({ host: '127.0.0.1', port: 0 });
      return { ...(await listening(app.server)), close: () => app.close() };
    },
  ],
  [
    'Hono',
    (listener) => {
      const app = new Hono<{ Bindings: HttpBindings }>();
      app.get('/own', (context) => context.text('own'));
      app.all('*', ({ env: { incoming, outgoing } }) => {
        listener(incoming, outgoing);
        return RESPONSE_ALREADY_SENT;
      });
      const answer = getRequestListener(app.fetch);
      const server = createServer((request, response) => void answer(request, response));
      return listening(server.listen(0, '127.0.0.1'));
    },
  ],
];

describe.each(mounts)('a server that is mounted in %s', (name, mount) => {
  let portolan: Portolan;
  let mounted: Mounted;
  let dataDir: string;
  let origin: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'portolan-mounted-'));
    mounted = await mount((request, response) => portolan.listener(request, response));
    origin = `http://127.0.0.1:${mounted.port}`;
    portolan = await createPortolan({
      stores: () => memoryStores(),
      settings: { DATA_DIR: dataDir, BASE_URL: origin, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
      logger: openLogger('silent'),
    });
  });
  afterEach(async () => {
    await portolan.stop();
    await mounted.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('answers pages, forms, JSON and MCP as on a port of its own (CONF-005)', async () => {
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${origin}/nothing/here`)).status).toBe(401);
    if (name !== 'node:http') expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
    const browser = await signedInAt(origin, admin);
    expect(await (await browser.get('/page')).text()).toContain('Tracker');
    const registered = await sendJson({ origin }, browser, ['POST', '/register', { redirect_uris: [] }]);
    expect(registered).toMatchObject({ status: 201, body: { client_name: 'MCP Client' } });
    const listed = await sendJson({ origin }, browser, [
      'POST',
      '/message',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    ]);
    expect(JSON.stringify(listed.body)).toContain('vault_note_read');
  });

  it('answers 503 once it is stopped (CONF-005)', async () => {
    await portolan.stop();
    expect((await fetch(`${origin}/healthz`)).status).toBe(503);
    await portolan.stop();
  });
});

it('a server listens on its own port when asked to, and answers 503 before (CONF-005)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-listen-'));
  const settings = { DATA_DIR: dataDir, PORT: '0' };
  const portolan = await createPortolan({ stores: () => memoryStores(), settings, logger: openLogger('silent') });
  expect((await fetch(`${portolan.baseUrl}/healthz`)).status).toBe(503);
  const { host, port } = await portolan.listen();
  expect([host, portolan.baseUrl]).toEqual(['127.0.0.1', `http://localhost:${port}`]);
  expect((await fetch(`${portolan.baseUrl}/healthz`)).status).toBe(200);
  expect(portolan.firstPassword).toMatch(/^.{16}$/);
  await portolan.stop();
  await expect(fetch(`${portolan.baseUrl}/healthz`)).rejects.toThrow();
  await rm(dataDir, { recursive: true, force: true });
});
