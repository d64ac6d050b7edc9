import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { type ServerProcess, startServer, temporaryDataDir } from '#test/support/server/server-process.ts';
import { admin, figures, metricsToken, notesOf, post, settled, signIn } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** How long a container engine waits after SIGTERM before it kills. */
const killedAfterMs = 10_000;
/** The same for a machine that is busy with tests: what the server allows itself is compared with the figure above. */
const killedAfterWhenBusyMs = 60_000;

it.each([0, 1_500, 5_000])(
  'a server that drains for %i ms stops before the time at which it would be killed (RUN-002)',
  (drainMs) => {
    const { allMs, ...parts } = stopBudgetAfter(drainMs);
    expect(drainMs + allMs).toBeLessThan(killedAfterMs);
    expect(Math.max(...Object.values(parts))).toBeLessThan(allMs);
  },
);

describe('SIGTERM', () => {
  let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
  let provider: LoopbackServer;
  let asked: number;
  /** What the notes app waits for before it answers; null is for ever. */
  let answersAfter: Promise<unknown> | null;
  let server: ServerProcess;
  const agent = new Agent({ keepAlive: true });

  beforeEach(async () => {
    folder = await temporaryDataDir();
    asked = 0;
    answersAfter = null;
    provider = await serveOnLoopback((request, response) => {
      // The vault is looked at for reactions, whatever else is asked.
      if (request.url === '/vault/Reactions/') return void response.writeHead(404).end();
      asked += 1;
      const text = JSON.stringify({ content: 'Hello', frontmatter: {}, path: 'A.md', stat: {}, tags: [] });
      const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      return void answersAfter?.then(answer);
    });
  });
  afterEach(async () => {
    agent.destroy();
    await server.end('SIGKILL');
    await provider.close();
    await folder.remove();
  });

  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    server = await startServer({
      DATA_DIR: folder.dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      METRICS_TOKEN: metricsToken,
      TRACKER_WEBHOOK_SECRET: trackerSecret,
      LOG_LEVEL: 'info',
      ...more,
    });
  }

  const withNotesApp = () => start({ VAULT_URL: provider.url, VAULT_API_KEY: 'the key' });

  /** Sends the signal; the exit code, and how long it took. */
  async function ended(): Promise<Readonly<{ code: number | null; ms: number }>> {
    const from = performance.now();
    const code = await server.end('SIGTERM');
    return { code, ms: performance.now() - from };
  }

  /** A call of a tool's REST route over a kept-alive connection. */
  function call(cookie: string): Promise<Readonly<{ status: number; connection: string | undefined }>> {
    return new Promise((resolve, reject) => {
      const headers = { cookie, accept: 'application/json' };
      request(`${server.baseUrl}/api/vault/vault/A.md`, { agent, headers }, (response: IncomingMessage) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
      })
        .once('error', reject)
        .end();
    });
  }

  /** Waits until the notes app was asked so often. */
  async function untilAsked(times: number): Promise<void> {
    const isAsked = () => asked >= times;
    while (!isAsked()) await pause(20);
  }

  async function untilStopping(): Promise<void> {
    while (!server.log().includes('Stopping')) await pause(10);
  }

  it('ends with 0 at once when nothing is running (RUN-001)', async () => {
    await start();
    const cookie = await signIn(server.baseUrl);
    await fetch(`${server.baseUrl}/page`, { headers: { cookie } });
    const { code, ms } = await ended();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(killedAfterWhenBusyMs);
  });

  it('answers the running call, notifies its client that the connection ends, and then ends (RUN-001)', async () => {
    const stopping = Promise.withResolvers<void>();
    answersAfter = stopping.promise;
    await withNotesApp();
    const cookie = await signIn(server.baseUrl);
    const called = call(cookie);
    await untilAsked(1);
    const stopped = ended();
    await untilStopping();
    stopping.resolve();
    expect(await called).toEqual({ status: 200, connection: 'close' });
    const { code, ms } = await stopped;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(killedAfterWhenBusyMs);
  });

  it('ends with 0 before it is killed while a provider hangs: calls fail with a reason, streams end, and the next process completes the deliveries (INBOX-010, RUN-002)', async () => {
    await withNotesApp();
    const cookie = await signIn(server.baseUrl);
    const delivery = trackerDelivery(issuePayload(Date.now()), { 'tracker-delivery': '1' });
    expect((await post(server.baseUrl, delivery)).status).toBe(200);
    await untilAsked(1);
    const called = call(cookie);
    await untilAsked(2);
    const stream = await fetch(`${server.baseUrl}/sse`, { headers: { cookie, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);

    const stopped = ended();
    expect(await stream.text()).toContain('event: endpoint');
    expect(await called).toEqual({ status: 502, connection: 'close' });
    const { code, ms } = await stopped;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(killedAfterWhenBusyMs);

    await start();
    await settled(server.baseUrl);
    expect(Object.keys(await notesOf(folder.dataDir))).toEqual(['Issues/ENG-7 Fix login.md']);
    const done = 'portolan_webhook_tries_total{service="tracker",result="done"}';
    // It is counted a moment after it is stored.
    await expect.poll(() => figures(server.baseUrl, done)).toEqual({ [done]: 1 });
  });

  it('counts as one stop when it comes several times and as Ctrl-C, and the running call is answered (RUN-022)', async () => {
    const stopping = Promise.withResolvers<void>();
    answersAfter = stopping.promise;
    await withNotesApp();
    const called = call(await signIn(server.baseUrl));
    await untilAsked(1);
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) server.signal(signal);
    await untilStopping();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) server.signal(signal);
    stopping.resolve();
    expect((await called).status).toBe(200);
    expect(await server.ended).toBe(0);
    expect(server.log().match(/"Stopp\w+/g)).toEqual(['"Stopping', '"Stopped']);
  });

  it('keeps a server with DRAIN_MS open for requests, but not ready, for all of that time (RUN-023)', async () => {
    await start({ DRAIN_MS: '3000' });
    server.signal('SIGTERM');
    await untilStopping();
    server.signal('SIGTERM');
    const answers = new Set<string>();
    const statusOf = (path: string) => fetch(`${server.baseUrl}${path}`).then(({ status }) => status);
    const ask = async (): Promise<never> => {
      answers.add(`${await statusOf('/readyz')} ${await statusOf('/login')}`);
      await pause(20);
      return ask();
    };
    await ask().catch(() => undefined);
    expect(await server.ended).toBe(0);
    expect([...answers]).toEqual(['503 200']);
    const [stopping = 0, stopped = 0] = server
      .log()
      .split('\n')
      .filter((line) => /"msg":"Stopp(?:ing|ed)/.test(line))
      .map((line) => Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? ''));
    expect(stopped - stopping).toBeGreaterThanOrEqual(3_000);
  });
});
