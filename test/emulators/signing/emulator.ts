import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { control } from '#test/emulators/signing/control.ts';
import { asked, json, notFound, type Reply, refused, send } from '#test/emulators/signing/exchange.ts';
import { Faults } from '#test/emulators/signing/faults.ts';
import type { HandlerDependencies } from '#test/emulators/signing/handler.ts';
import { LifeCycle } from '#test/emulators/signing/life-cycle.ts';
import { Grants } from '#test/emulators/signing/oauth.ts';
import { router } from '#test/emulators/signing/routes.ts';
import { Webhooks } from '#test/emulators/signing/webhooks.ts';
import { newId, newWorld, type Words } from '#test/emulators/signing/world.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** How an emulator is started. `draftAfterMs` null: a document becomes a draft when `lifeCycle.process` is called only. */
export type EmulatorOptions = Readonly<{
  dialect: Words;
  port?: number;
  draftAfterMs?: number | null;
  apiKey?: string;
  clients?: Readonly<Record<string, string>>;
}>;

/** The key that it lets in when no other is given. */
export const sandboxKey = 'sandbox-key';

/** A request as it came, for tests that look at the wire. */
export type Seen = Readonly<{ method: string; url: string; headers: IncomingMessage['headers'] }>;

/** A signing service on a loopback port, with everything it knows in memory. */
export async function startSigningEmulator(options: EmulatorOptions) {
  const { dialect, port = 0, draftAfterMs = 50, apiKey = sandboxKey, clients = { app: 'secret' } } = options;
  const world = newWorld(dialect, draftAfterMs);
  const webhooks = new Webhooks(world);
  const parts: HandlerDependencies = { world, webhooks, lifeCycle: new LifeCycle(world, webhooks) };
  const grants = new Grants(clients);
  const faults = new Faults();
  const route = router(dialect);
  const requests: Seen[] = [];

  const isKnown = (authorization = ''): boolean => {
    const [scheme, credentials = ''] = authorization.split(' ');
    return scheme === 'API-Key' ? credentials === apiKey : scheme === 'Bearer' && grants.knows(credentials);
  };

  const answer = async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const method = request.method ?? 'GET';
    const matched = route(method, url.pathname);
    const ask = await asked(request, url, matched?.params ?? {});
    if (url.pathname.startsWith('/_emulator/')) return control({ ...parts, grants, faults }, url.pathname, ask);
    requests.push({ method, url: `${url.pathname}${url.search}`, headers: request.headers });
    const instead = await faults.insteadOf(matched?.name ?? 'none');
    if (instead !== null) return instead;
    if (url.pathname === '/oauth2/authorize') return grants.authorize(url.searchParams);
    if (url.pathname === '/oauth2/access_token') return grants.token(new URLSearchParams(ask.body.toString('utf8')));
    if (!isKnown(request.headers.authorization)) {
      return refused(401, 'authentication_error', 'Authentication credentials were not provided.');
    }
    return matched === null ? notFound : matched.handle(parts, ask);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://emulator');
    const reply = await answer(request, url).catch((error: unknown) =>
      json(500, { type: 'server_error', detail: String(error) }),
    );
    await send(response, reply);
  };
  const server = createServer(keptConnections, (request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    ...parts,
    grants,
    faults,
    requests,
    url: `http://127.0.0.1:${portOf(address)}`,
    apiKey,
    /** Sends all events, or those named, to an address. */
    subscribe: (url: string, sharedKey: string, triggers: readonly string[] = []): void => {
      const uuid = newId();
      world.subscriptions.set(uuid, {
        uuid,
        name: 'test',
        url,
        sharedKey,
        active: true,
        isDeactivated: false,
        triggers: [...triggers],
      });
    },
    failNext: (fault: Parameters<Faults['failNext']>[0]) => faults.failNext(fault),
    delayNext: (ms: number) => faults.delayNext(ms),
    expireTokens: () => grants.expireTokens(),
    close: async (): Promise<void> => {
      for (const timer of world.timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A running emulator. */
export type SigningEmulator = Awaited<ReturnType<typeof startSigningEmulator>>;

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The emulator has no port.');
  return address.port;
}
