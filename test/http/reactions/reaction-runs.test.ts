import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { decisionForm } from '#test/support/changes/decision-form.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import {
  metricsToken,
  post,
  serverFolder,
  settled,
  signIn,
  startServer,
} from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let cookie: string;

const reaction = (lines: string, mode = 'on', body = '- {{ deal.title }}\n') =>
  `---\nreaction: ${mode}\nwhen: sales_crm.updated.deal\n${lines}\n---\n${body}`;
const reading = reaction('do:\n  - vault.notes.read: { path: "Wanted {{ deal.id }}.md" }', 'on', '');
const notes = {
  'Reactions/read.md': reading,
  'Reactions/log.md': reaction('note: Log.md'),
  'Reactions/unmet.md': reaction('note: Never.md\nif: deal.id == 0'),
  'Reactions/off.md': reaction('note: Never.md', 'off'),
};

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  for (const [path, text] of Object.entries(notes)) await write(path, text);
  server = await startServer(folder.path);
  cookie = await signIn(server.baseUrl);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const write = (path: string, text: string) => writeFile(join(folder.path, 'vault', path), text);
const get = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: { cookie } })).text();
const pageOf = (name: string) => `/reactions/one?path=Reactions%2F${name}.md`;
const text = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** Sends the first form of a page with that action, as a browser does. */
async function send(html: string, action: string): Promise<Response> {
  const form = html.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const hidden = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]));
  const headers = { cookie, origin: server.baseUrl };
  return fetch(`${server.baseUrl}${action}`, { method: 'POST', body, headers, redirect: 'manual' });
}

/** The rows of a delivery's table of reactions: name, result, outcome. */
async function resultsOf(seq: number): Promise<Readonly<Record<string, string>>> {
  const [, table = ''] =
    /<h2 id="reactions">[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(await get(`/deliveries/${seq}`)) ?? [];
  const rows = [
    ...table.matchAll(/<a class="name" href="([^"]*)"><bdi>([^<]*)<[\s\S]*?<span class="pill \w*">([^<]*)</g),
  ];
  return Object.fromEntries(rows.map(([, , name = '', result = '']) => [name, result]));
}

const deliver = async (id: number) => {
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id, title: `Deal ${id}` })));
  await settled(server.baseUrl);
};

it('a call that waits is one line at its reaction, which needs approval and links to its note (WRITE-036)', async () => {
  for (const id of [1, 2]) await deliver(id);
  const page = await get(pageOf('read'));
  expect(page).toContain('<span class="pill warn">Needs approval</span>');
  expect(text(page)).toContain('2 calls wait for an approval .');
  expect(page).toContain('href="/activity/note?path=Reactions%2Fread.md"');
  expect(await resultsOf(1)).toEqual({
    'Deal changed': 'Ran',
    'Reactions/log.md': 'Ran',
    'Reactions/off.md': 'Off',
    'Reactions/read.md': 'Waits',
    'Reactions/unmet.md': 'Condition false',
  });
});

it('a delivery whose reaction failed is done with faults: counted, filtered, and in the metrics (INBOX-023)', async () => {
  const form = decisionForm(await get('/approvals'), 'Reactions/read.md');
  const body = new URLSearchParams({ ...form?.fields, decision: 'allow', comment: '' });
  const headers = { cookie, origin: server.baseUrl };
  const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
  expect((await fetch(`${server.baseUrl}${form?.action}`, init)).status).toBe(303);
  await settled(server.baseUrl);
  await expect
    .poll(() => get('/deliveries?state=faulty'), { timeout: 30_000 })
    .toMatch(/Done with faults <span class="count">2</);
  const list = await get('/deliveries?state=faulty');
  expect(list.match(/<span class="pill warn">Done with faults/g)).toHaveLength(2);
  expect(list).toMatch(/Failed <span class="count">0</);
  expect(await get('/deliveries?state=done')).not.toContain('name="seq"');
  expect(await resultsOf(1)).toMatchObject({ 'Reactions/read.md': 'Failed', 'Reactions/log.md': 'Done before' });
  const metrics = await fetch(`${server.baseUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  expect(await metrics.text()).toContain('portolan_webhook_faulty_entries 2');
});

it('a reaction lists its runs, and counts deliveries (WRITE-036)', async () => {
  const page = text(await get(pageOf('read')));
  expect(page).toContain('2 runs, 2 faults');
  expect(page).toMatch(/ 2 Failed vault\.notes\.read was refused.* 1 Failed vault\.notes\.read was refused/);
  expect(text(await get(pageOf('log')))).toContain('2 runs, 0 faults');
  const before = text(await get(`${pageOf('read')}&before=2`));
  expect(before).toMatch(/ 1 Failed /);
  expect(before).not.toMatch(/ 2 Failed /);
  expect(text(await get(pageOf('unmet')))).toMatch(/Has not run yet.* 2 Condition false/);
});

it('all failed deliveries are replayed at once, in the background (INBOX-024)', async () => {
  await write('Wanted 1.md', 'here');
  expect((await send('<form action="/deliveries/replay-failed"', '/deliveries/replay-failed')).status).toBe(403);
  const list = await get('/deliveries');
  expect(list).toContain('Replay all failed (2)');
  const answer = await send(list, '/deliveries/replay-failed');
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('2 deliveries are being replayed'),
  ]);
  await settled(server.baseUrl);
  await expect.poll(() => get('/deliveries'), { timeout: 30_000 }).toContain('Replay all failed (1)');
  expect(await resultsOf(1)).toMatchObject({ 'Reactions/read.md': 'Ran' });
  expect(text(await get(pageOf('read')))).toContain('2 runs, 1 fault ');
  expect(await get('/deliveries?state=dead')).not.toContain('Replay all');
});
