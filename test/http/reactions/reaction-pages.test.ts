import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { decisionForm } from '#test/support/changes/decision-form.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post, serverFolder, settled, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let cookie: string;

const text = `---
reaction: on
when: sales_crm.updated.deal
note: Log.md
do:
  - vault.notes.append: { path: Called.md, content: "deal {{ deal.id }}\\n" }
---
- {{ deal.title }}
`;

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  await writeFile(join(folder.path, 'vault', 'Reactions', 'log.md'), text);
  server = await startServer(folder.path);
  cookie = await signIn(server.baseUrl);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const note = (path: string) => readFile(join(folder.path, 'vault', path), 'utf8').catch(() => null);
const get = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: { cookie } })).text();
const page = '/reactions/one?path=Reactions%2Flog.md';

/** Sends the form of that action on the reaction's page, as a browser does. */
async function send(action: string, html: string): Promise<Response> {
  const form = html.split('<form').find((part) => part.includes(`action="/reactions/${action}"`)) ?? '';
  const hidden = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]));
  const headers = { cookie, origin: server.baseUrl };
  return fetch(`${server.baseUrl}/reactions/${action}`, { method: 'POST', body, headers, redirect: 'manual' });
}

/** Sends the form of /approvals on a reaction. */
async function decide(html: string, path = 'Reactions/log.md', given = { decision: 'allow', comment: '' }) {
  const form = decisionForm(html, path);
  if (form === null) throw new Error(`${path} does not wait.`);
  const body = new URLSearchParams({ ...form.fields, ...given });
  const headers = { cookie, origin: server.baseUrl };
  return fetch(`${server.baseUrl}${form.action}`, { method: 'POST', body, headers, redirect: 'manual' });
}

it('a reaction writes its note at once, and calls when an administrator approves that text (WRITE-004)', async () => {
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 7, title: 'Acme' })));
  await settled(server.baseUrl);
  expect(await note('Log.md')).toMatch(/^- Acme \^evt-/);
  expect(await note('Called.md')).toBeNull();
  const before = await get(page);
  expect(before).toMatch(/1 call waits\s+for <a href="\/approvals#[^"]+">/);

  expect(before).toContain('Allow or refuse it');
  const shown = await get('/approvals');
  await writeFile(join(folder.path, 'vault', 'Reactions', 'log.md'), text.replace('deal {{', 'the deal {{'));
  expect((await decide(shown)).status).toBe(404);

  expect((await decide(await get('/approvals'))).status).toBe(303);
  await settled(server.baseUrl);
  await expect.poll(() => note('Called.md'), { timeout: 30_000 }).toBe('the deal 7\n');
  expect(await note('Log.md')).toMatch(/^- Acme \^evt-\w+\n$/);
});

it('the page lists reactions with their runs, and tries one on past deliveries (WRITE-008)', async () => {
  const list = await get('/reactions');
  expect(list).toContain('sales_crm.updated.deal');
  expect(list).toMatch(/1 run, 0 faults/);
  const tried = await (await send('try', await get(page))).text();
  expect(tried).toContain('What would have happened');
  expect(tried).toContain('would call vault.notes.append');
  expect(await note('Called.md')).toBe('the deal 7\n');
});

it('a built-in reaction can be switched off on the page, which its delivery reports (WRITE-017)', async () => {
  const body = (on: readonly string[], html: string) => {
    const hidden = [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    return new URLSearchParams([
      ...hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
      ...on.map((name): [string, string] => ['on', name]),
    ]);
  };
  const keep = (sent: URLSearchParams) =>
    fetch(`${server.baseUrl}/reactions/switches`, {
      method: 'POST',
      body: sent,
      headers: { cookie, origin: server.baseUrl },
      redirect: 'manual',
    });
  const html = await get('/reactions');
  expect(html.match(/name="on" value="[a-z-]+" checked/g)).toHaveLength(5);
  expect((await keep(new URLSearchParams({ shown: 'deal-updated' }))).status).toBe(403);
  const others = ['party-updated', 'document-state-changed', 'document-ready', 'issue-changed'];
  expect((await keep(body(others, html))).status).toBe(303);
  expect((await get('/reactions')).match(/name="on" value="[a-z-]+" checked/g)).toHaveLength(4);

  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 41, title: 'Unseen' })));
  await settled(server.baseUrl);
  expect(await note('Deals/Unseen.md')).toBeNull();
  expect(await get('/deliveries')).toContain('switched off: deal-updated');

  expect((await keep(body(['deal-updated', ...others], html))).status).toBe(303);
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 42, title: 'Seen' })));
  await settled(server.baseUrl);
  expect(await note('Deals/Seen.md')).toContain('sales_crm_deal_id');
});

it('the pages are for administrators, and forms from other sites change nothing (WRITE-009)', async () => {
  for (const path of ['/approvals/reaction:x', '/reactions/withdraw']) {
    const answer = await fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers: { cookie, origin: server.baseUrl },
      body: new URLSearchParams({ path: 'Reactions/log.md', digest: 'x', decision: 'allow' }),
    });
    expect(answer.status).toBe(403);
  }
  expect((await fetch(`${server.baseUrl}/reactions`, { redirect: 'manual' })).status).not.toBe(200);
});

it('characters that disguise a call are made visible, and its form sends back the original (PAGE-024)', async () => {
  const path = 'Reactions/hid\u202eden \u{1f468}\u200d\u{1f469}.md';
  const hostile = text
    .replace('Called.md', 'Cal\u200bled\u202edm.md')
    .replace('vault.notes.append: ', '"vault.notes.append": ')
    .replace('- {{', '- \u2066{{');
  await writeFile(join(folder.path, 'vault', path), hostile);
  const address = `/reactions/one?path=${encodeURIComponent(path)}`;
  await expect.poll(() => get(address), { timeout: 30_000 }).toContain('Cal\\u200bled\\u202edm.md');
  const shown = await get(address);
  expect(shown).toContain('- \\u2066{{ deal.title }}');
  const waiting = await get('/approvals');
  expect(waiting).toContain('Cal\\u200bled\\u202edm.md');
  for (const html of [shown, waiting]) {
    expect(html.replaceAll(/value="[^"]*"/g, '')).not.toMatch(/[\u202e\u2066\u200b]/);
  }
  expect((await decide(waiting, path)).status).toBe(303);
});

it('a refused text calls nothing, says why, and can wait again (ASK-022)', async () => {
  const refused = text.replace('Called.md', 'Refused.md').replace('Log.md', 'Other.md');
  await writeFile(join(folder.path, 'vault', 'Reactions', 'refused.md'), refused);
  const path = 'Reactions/refused.md';
  const its = '/reactions/one?path=Reactions%2Frefused.md';
  await expect.poll(() => get('/approvals'), { timeout: 30_000 }).toContain('refused.md');
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 71, title: 'Bolt' })));
  await settled(server.baseUrl);
  expect(await get(its)).toMatch(/1 call waits\s+for <a href="\/approvals#/);
  const shown = await get('/approvals');
  const given = { decision: 'refuse', comment: 'Not <b>this</b> way.' };
  expect((await decide(shown, path, given)).status).toBe(303);
  expect((await decide(shown, path, given)).status).toBe(409);
  expect(await get('/approvals')).not.toContain('refused.md');
  expect(await get(its)).toContain('Not &lt;b&gt;this&lt;/b&gt; way.');
  expect(await get(its)).not.toMatch(/calls? waits?\s+for/);
  await settled(server.baseUrl);
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 72, title: 'Nut' })));
  await settled(server.baseUrl);
  expect(await note('Other.md')).toMatch(/^- Bolt .*\n- Nut /);
  expect(await note('Refused.md')).toBeNull();
  expect(await get(its)).toContain('an administrator refused this text');
  expect(await get(its)).not.toMatch(/calls? waits?\s+for/);

  expect((await send('withdraw', await get(its))).status).toBe(303);
  expect((await decide(await get('/approvals'), path)).status).toBe(303);
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 73, title: 'Screw' })));
  await expect.poll(() => note('Refused.md'), { timeout: 30_000 }).toBe('deal 73\n');
});

it('the page shows the note by lines with the errors beside them, the cause first (WRITE-037, WRITE-038, WRITE-039, PAGE-036)', async () => {
  const faulty =
    '---\nreaction: on\nwhen: sales_crm.updated.deal\ndo:\n  - tracker.issue.create: { title: "a" }\n---\n';
  await writeFile(join(folder.path, 'vault', 'Reactions', 'faulty.md'), faulty);
  const hint = 'There is no operation `tracker.issue.create`; did you mean `tracker.issues.create`?';
  const shown = () => get('/reactions/one?path=Reactions%2Ffaulty.md');
  await expect.poll(shown, { timeout: 30_000 }).toContain(hint);
  const html = await shown();
  expect(html).toMatch(
    /<th scope="row" class="tight">5<\/th><td><code> {2}- tracker\.issue\.create[\s\S]*?<\/code><p class="notice bad">There is no operation/,
  );
  expect(html).not.toContain('It does nothing');
  expect(html).toContain('/activity/note?');

  const named = faulty.replace(
    'tracker.issue.create: { title: "a" }',
    'tracker.issues.create: { title: "a", team: ENG }',
  );
  await writeFile(join(folder.path, 'vault', 'Reactions', 'faulty.md'), named);
  await expect.poll(shown, { timeout: 30_000 }).toContain('<code>tracker.issues.create {');
  expect(await shown()).not.toContain('issues.make');
  const waiting = await get('/approvals');
  expect(waiting).toContain('<code>tracker.issues.create {');
  expect(waiting).not.toContain('issues.make');

  await writeFile(
    join(folder.path, 'vault', 'Reactions', 'faulty.md'),
    faulty.replace(/do:[\s\S]*?---/, 'nte: Log.md\n---\ntext'),
  );
  await expect.poll(() => get('/reactions'), { timeout: 30_000 }).toContain('did you mean `note`? (and 1 more)');
});
