import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignedIn } from '#test/demo/signed-in.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { dealPayload, partyPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { admin, figures, notesOf, post, serverFolder, startServer } from '#test/support/webhooks/webhook-server.ts';
import { issueData, issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

const rate = 20;
/** What the deliveries that hang would take one after another, as a queue for all would have it: each call is broken off after 30 s. */
const hangingForMs = 30 * 30_000;

describe('while the suite CRM accepts connections and never answers', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let suite: LoopbackServer;
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  let pushes = 0;

  beforeEach(async () => {
    folder = await serverFolder();
    suite = await serveOnLoopback((request, response) => {
      const url = new URL(request.url ?? '/', 'http://suite');
      const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      if (url.pathname === '/auth') {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' }).toString();
        response.writeHead(302, { location: back.href }).end();
      } else if (url.pathname === '/token') json({ access_token: 'a', refresh_token: 'r', expires_in: 3600 });
      else pushes += 1;
    });
  });
  afterEach(async () => {
    await server?.stop();
    await suite.close();
    await folder.remove();
  });

  it('deliveries that do not need it reach their notes (INBOX-006)', async () => {
    server = await startServer(folder.path, {
      SUITE_CRM_URL: suite.url,
      SUITE_CRM_AUTHORIZE_URL: `${suite.url}/auth`,
      SUITE_CRM_TOKEN_URL: `${suite.url}/token`,
      SUITE_CRM_CLIENT_ID: 'the-client',
      SUITE_CRM_CLIENT_SECRET: 'the-secret',
    });
    const { baseUrl } = server;
    await (await SignedIn.to(baseUrl, admin)).connect('suite_crm');
    for (let id = 1; id <= 30; id += 1) {
      const person = partyPayload('person', { id, name: `Ann ${id}`, email: [{ value: `a${id}@x.example` }] });
      expect((await post(baseUrl, salesCrmDelivery(person))).status).toBe(200);
    }
    const hangs = () => pushes > 0;
    while (!hangs()) await pause(20);

    const sent = new Map<string, number>();
    for (let id = 1; id <= 40; id += 1) {
      const deal = dealPayload({ id, title: `Deal ${id}` }, {}, '2026-01-15T08:00:00Z');
      const data = issueData({ id: `issue-${id}`, identifier: `ENG-${id}`, title: `Issue ${id}` });
      const issue = trackerDelivery(issuePayload(Date.now(), { data }), { 'tracker-delivery': `issue-${id}` });
      sent.set(`Deals/Deal ${id}.md`, Date.now());
      await post(baseUrl, salesCrmDelivery(deal));
      sent.set(`Issues/ENG-${id} Issue ${id}.md`, Date.now());
      await post(baseUrl, issue);
      await pause(2_000 / rate);
    }
    const lateness = await untilThere(sent, folder.path);
    const done = 'portolan_webhook_tries_total';
    const ended = expect.poll(() => figures(baseUrl, done));
    await ended.toMatchObject({
      [`${done}{service="tracker",result="done"}`]: 40,
      [`${done}{service="sales_crm",result="done"}`]: 40,
    });
    const p95 = lateness.toSorted((left, right) => left - right)[Math.floor(lateness.length * 0.95)] ?? 0;
    if (process.env['TELL_TIMES'] !== undefined) process.stdout.write(`p95 ${Math.round(p95)} ms\n`);
    expect(p95).toBeLessThan(hangingForMs);
  });
});

/** Waits until all notes are there; how long after its delivery was sent each was last written, in ms. */
async function untilThere(sent: ReadonlyMap<string, number>, folder: string): Promise<readonly number[]> {
  while (Object.keys(await notesOf(folder)).length < sent.size) await pause(250);
  const writes = [...sent].map(async ([path, at]) => (await stat(join(folder, 'vault', path))).mtimeMs - at);
  return Promise.all(writes);
}
