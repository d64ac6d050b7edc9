import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { wanted } from '#domain/webhook-registrations/webhook-registration.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import {
  dealPayload,
  documentPayload,
  salesCrmDelivery,
  salesCrmSecret,
  signingDelivery,
} from '#test/support/webhooks/webhook-senders.ts';
import {
  figures,
  metricsToken,
  notesOf,
  post,
  serverFolder,
  settled,
  signIn,
  startServer,
} from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, sign, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

const resigned = (body: string | Uint8Array): Delivery => {
  const bytes = Buffer.from(body);
  const headers = { 'x-salescrm-signature': sign(bytes, salesCrmSecret) };
  return { ...sentTo('sales_crm'), headers, query: {}, body: bytes };
};

describe('the whole server with the embedded vault', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let server: RunningPortolan;
  let cookie: string;

  beforeAll(async () => {
    folder = await serverFolder();
    server = await startServer(folder.path);
    cookie = await signIn(server.baseUrl);
  });
  afterAll(async () => {
    await server.stop();
    await folder.remove();
  });

  const get = (path: string, headers: Record<string, string> = { cookie }) =>
    fetch(`${server.baseUrl}${path}`, { headers, redirect: 'manual' });
  const note = async (path: string) => (await notesOf(folder.path))[path] ?? '';

  it('turns a deal into its Markdown file (REACT-001)', async () => {
    expect((await post(server.baseUrl, salesCrmDelivery(dealPayload()))).status).toBe(200);
    const next = dealPayload({ status: 'lost' }, { status: 'won', value: 112 }, '2026-01-15T08:00:00Z');
    expect((await post(server.baseUrl, salesCrmDelivery(next))).status).toBe(200);
    await settled(server.baseUrl);
    const text = await note('Deals/Sample deal.md');
    expect(text).toMatch(/^---\nsales_crm_deal_id: "8"\n/);
    expect(text).toMatch(/^status: "?lost"?$/m);
    expect(text).toMatch(/^value: 112$/m);
    expect(text).toMatch(/# Deal\n[\s\S]*## History\n+- 2026-01-14 18:16 UTC: .* \^evt-\w+\n+- 2026-01-15 08:00 UTC: /);
  });

  it('turns a document into its contract note, with a download link at the end', async () => {
    const sent = (event: string, status: string) =>
      post(server.baseUrl, signingDelivery(documentPayload(Date.now(), event, { status })));
    expect((await sent('document_state_changed', 'document.viewed')).status).toBe(200);
    expect((await sent('document_completed_pdf_ready', 'document.completed')).status).toBe(200);
    await settled(server.baseUrl);
    const text = await note('Contracts/Agreement.md');
    expect(text).toMatch(/^status: "?document\.completed"?$/m);
    expect(text).toContain(`download_url: ${server.baseUrl}/api/signing/documents/doc1/download`);
    expect(text).toMatch(/## Status History\n+- .*status → document\.viewed/);
    expect(text).toMatch(/\[Download the signed PDF\]\(<.*\/api\/signing\/documents\/doc1\/download>\) \^evt-/);
  });

  it('turns an issue into its note', async () => {
    expect((await post(server.baseUrl, trackerDelivery(issuePayload(Date.now())))).status).toBe(200);
    await settled(server.baseUrl);
    expect(await note('Issues/ENG-7 Fix login.md')).toMatch(/^tracker_issue_id: .*\ntracker_project_id: /m);
  });

  it('shows administrators the deliveries and their results (PAGE-007, PAGE-009)', async () => {
    const list = await (await get('/deliveries')).text();
    expect(list).toMatch(/updated <a [^>]+>Deals\/Sample deal\.md<\/a>: status, History/);
    const [, path = ''] = /href="(\/deliveries\/\d+)"/.exec(list) ?? [];
    const page = await (await get(path)).text();
    expect(page).toMatch(/created <a [^>]+>Issues\/ENG-7 Fix login\.md</);
    expect(page).toContain('&quot;identifier&quot;: &quot;ENG-7&quot;');
  });

  it('answers 401 to anonymous callers, 403 to other users, and 404 to an unknown number (PAGE-009)', async () => {
    expect((await get('/deliveries', {})).status).toBe(401);
    const guest = await get('/set', {});
    const guestCookie = guest.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    expect((await get('/deliveries', { cookie: guestCookie })).status).toBe(403);
    expect((await get('/deliveries/1', { cookie: guestCookie })).status).toBe(403);
    expect((await get('/deliveries/999')).status).toBe(404);
    expect((await get('/deliveries/x')).status).toBe(404);
  });

  const form = async (path: string) => {
    const page = await (await get(path)).text();
    const [, name = '', value = ''] = /type="hidden" name="([^"]+)" value="([^"]*)"/.exec(page) ?? [];
    return new URLSearchParams([[name, value]]);
  };
  const submit = (path: string, body: URLSearchParams) =>
    fetch(`${server.baseUrl}${path}`, { method: 'POST', body, headers: { cookie }, redirect: 'manual' });

  it('replays with a form of its own page, and leaves the note unchanged (PAGE-007)', async () => {
    const before = await notesOf(folder.path);
    const answer = await submit('/deliveries/1/replay', await form('/deliveries/1'));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/deliveries/1']);
    await settled(server.baseUrl);
    expect(await notesOf(folder.path)).toEqual(before);
    expect(await (await get('/deliveries/1')).text()).toMatch(/late <a href="[^"]+">Deals\/Sample deal\.md</);
  });

  it('shows in a dry run what would be written (PAGE-007)', async () => {
    const page = await (await submit('/deliveries/1/dry-run', await form('/deliveries/1'))).text();
    expect(page).toContain('What would happen now');
    expect(page).toContain('Nothing would be written.');
  });

  it('refuses a form without its token, and a delivery that cannot be skipped (PAGE-003)', async () => {
    expect((await submit('/deliveries/1/replay', new URLSearchParams())).status).toBe(403);
    expect((await submit('/deliveries/1/skip', new URLSearchParams({ csrf_token: 'x' }))).status).toBe(403);
    expect((await submit('/deliveries/1/skip', await form('/deliveries/1'))).status).toBe(409);
  });

  it('lists stale deliveries separately, and secrets by one-way fingerprints (HOOK-022, PAGE-027)', async () => {
    const old = documentPayload(Date.now() - 3_600_000, 'document_updated');
    expect((await post(server.baseUrl, signingDelivery(old))).status).toBe(401);
    const page = await (await get('/deliveries/senders')).text();
    expect(page).toMatch(/Signing service<\/th>.*<code class="id">sha256:[0-9a-f]+…?<\/code>.*60 min old/);
    expect(page).toMatch(/Tracker<\/th>.*<code>[\w-]{8}<\/code>.*<time /);
    expect(page).toMatch(/never used/);
    expect(page).not.toContain('a former key');
  });

  it('finds deliveries by text, service, day and state, and none with an invalid filter (PAGE-014, ERR-012)', async () => {
    const listed = async (query: string) => {
      const rows = (await (await get(`/deliveries?${query}`)).text()).match(/<input type="checkbox" name="seq"/g);
      return rows?.length ?? 0;
    };
    const all = await listed('');
    expect(all).toBeGreaterThan(1);
    const [ofOne, ofOther] = [await listed('service=sales_crm'), await listed('service=tracker')];
    expect([ofOne > 0, ofOther > 0, ofOne + ofOther <= all]).toEqual([true, true, true]);
    expect(await listed('q=sales_crm%3ADEAL')).toBe(ofOne);
    expect(await listed('q=nobody-has-this')).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(await listed(`to=2020-01-01`)).toBe(0);
    expect(await listed(`from=2020-01-01&to=${today}`)).toBe(all);
    expect(await listed('service=nothing&state=nothing&from=yesterday&before=x')).toBe(0);
  });

  it('dry-runs the selected deliveries, and replays them from there (PAGE-014)', async () => {
    const token = /name="csrf_token" value="([^"]+)"/.exec(await (await get('/deliveries')).text())?.[1] ?? '';
    const chosen = new URLSearchParams({ csrf_token: token, seq: '1' });
    const dry = await submit('/deliveries/dry-run', chosen);
    expect([dry.status, await dry.text()]).toEqual([200, expect.stringMatching(/action="\/deliveries\/replay"/)]);
    const replayed = await submit('/deliveries/replay', chosen);
    expect([replayed.status, await replayed.text()]).toEqual([
      200,
      expect.stringContaining('One delivery is being replayed'),
    ]);
    expect((await submit('/deliveries/replay', new URLSearchParams({ csrf_token: token }))).status).toBe(400);
    expect((await submit('/deliveries/replay', new URLSearchParams({ seq: '1' }))).status).toBe(403);
  });

  const signed = salesCrmDelivery(dealPayload({ id: 99, title: 'Never' }));
  it.each([
    ['forged', { ...signed, headers: { 'x-salescrm-signature': 'a'.repeat(64) } }, 401],
    ['unsigned', { ...signed, headers: {} }, 401],
    ['altered', { ...signed, body: Buffer.from(Buffer.from(signed.body).toString().replace('won', 'lost')) }, 401],
    ['huge', resigned('x'.repeat(1_048_577)), 413],
    ['malformed', resigned('{"event":'), 400],
    ['not UTF-8', resigned(Buffer.from([0x22, 0xff, 0x22])), 400],
  ])('refuses %s deliveries and stores nothing of them', async (_, delivery, status) => {
    const before = await figures(server.baseUrl, 'portolan_webhook_inbox_entries');
    expect((await post(server.baseUrl, delivery)).status).toBe(status);
    expect(await figures(server.baseUrl, 'portolan_webhook_inbox_entries')).toEqual(before);
  });

  it('keeps a replayed delivery once', async () => {
    const before = await figures(server.baseUrl, 'portolan_webhook_inbox_entries');
    const again = await post(server.baseUrl, salesCrmDelivery(dealPayload()));
    expect([again.status, await again.json()]).toEqual([200, { received: true }]);
    expect(await figures(server.baseUrl, 'portolan_webhook_inbox_entries')).toEqual(before);
  });

  it('serves Prometheus metrics to administrators and the bearer of the token, and to nobody else (RUN-006)', async () => {
    const deliveries = await figures(server.baseUrl, 'portolan_webhook_deliveries_total');
    expect(deliveries).toMatchObject({
      'portolan_webhook_deliveries_total{service="sales_crm",result="kept"}': 2,
      'portolan_webhook_deliveries_total{service="signing",result="stale"}': 1,
    });
    expect((await get('/metrics')).status).toBe(200);
    expect((await get('/metrics', {})).status).toBe(401);
    expect((await get('/metrics', { authorization: `Bearer ${metricsToken}x` })).status).toBe(401);
    const text = await (await get('/metrics')).text();
    expect(text).toContain('portolan_outbound_calls_total{service="vault",result="ok"}');
    expect(text).toContain('portolan_webhook_oldest_open_seconds 0');
    expect(text).toContain('portolan_webhook_work_seconds_count');
  });

  it('reports to Prometheus how long a webhook has left at each scrape, and nothing of a removed one', async () => {
    const name = 'portolan_webhook_subscription_expiry_seconds';
    const figure = `${name}{service="suite_crm",hook="records"}`;
    const url = `sqlite:${join(folder.path, 'portolan.sqlite')}`;
    const database = await openDatabase({ url, entities, migrations });
    const registrations = new SqlWebhookRegistrations(database);
    const desired = { userId: 1, service: 'suite_crm', name: 'records', events: ['Leads.all'] } as const;
    const line = wanted({ ...desired, url: 'https://here.test', secretFingerprint: null, account: null }, Date.now());
    const kept = await registrations.keep({ ...line, state: 'active', expiresAt: Date.now() + 3_600_000 });
    const first = (await figures(server.baseUrl, name))[figure] ?? Number.NaN;
    expect(first).toBeGreaterThan(3_000);
    expect(first).toBeLessThanOrEqual(3_600);
    const changed = await registrations.keep({ ...line, ...kept, expiresAt: Date.now() - 1 });
    expect(await figures(server.baseUrl, name)).toEqual({ [figure]: 0 });
    await registrations.remove({ ...line, ...changed });
    expect(await figures(server.baseUrl, name)).toEqual({});
    await database.close();
  });
});
