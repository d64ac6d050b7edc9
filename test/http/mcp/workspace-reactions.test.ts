import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { hostileReactions } from '#test/attacks/hostile-reactions.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { allowReaction } from '#test/support/changes/decision-form.ts';
import { post as ask } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { metricsToken, post, serverSettings, settled } from '#test/support/webhooks/webhook-server.ts';
import { issueData, issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

const onDeal = `---
reaction: on
when: sales_crm.updated.deal
if: deal.value > 0
note: Log.md
do:
  - tracker.issues.create: { team: Onboarding, title: "Onboard {{ deal.title }}" }
---
- {{ deal.title }}
`;
const onIssue = '---\nreaction: on\nwhen: tracker.issue.create\nnote: Log.md\n---\n- {{ issue.title }}\n';
const weekly =
  '---\nreaction: on\nwhen: "schedule: 0 17 * * 5"\nnote: Week.md\n---\n{% for one in events.tracker %}{{ one.record.title }}{% endfor %}, {{ events.sales_crm.size }} deals\n';

let server: WholeServer;
const tokens = { admin: '', member: '', narrow: '' };

beforeAll(async () => {
  const { DATA_DIR: _, ADMIN_EMAIL: __, ADMIN_PASSWORD: ___, ...settings } = serverSettings('');
  server = await openWholeServer({ ...settings, METRICS_TOKEN: metricsToken });
  const browser = await signedInAt(server.origin, ada);
  tokens.admin = await grantToken(server.origin, browser, { name: 'All' });
  tokens.narrow = await grantToken(server.origin, browser, { name: 'Narrow', services: ['vault', 'sales_crm'] });
  const member = await invited(server, browser, 'bob@example.com', { permissions: ['vault', 'sales_crm'] });
  tokens.member = await grantToken(server.origin, member, { name: 'Bob' });
  const note = { path: 'Reactions/deals.md', content: onDeal.replace('reaction: on', 'reaction: dry') };
  await call('vault_note_write', note);
  const isRead = async () => expect(await file('Reactions/deals.md')).toContain('reaction_status: ok');
  await vi.waitFor(isRead, { timeout: 30_000 });
  await post(server.origin, salesCrmDelivery(dealPayload({ id: 7, title: 'Acme', value: 5 })));
  const data = issueData({ title: 'Secret issue' });
  await post(server.origin, trackerDelivery(issuePayload(Date.now(), { data })));
  await settled(server.origin);
});
afterAll(() => server[Symbol.asyncDispose]());

const file = (path: string) => readFile(join(server.dataDir, 'vault', path), 'utf8').catch(() => '');
const answer = z.object({
  result: z.looseObject({
    isError: z.boolean().optional(),
    content: z.tuple([z.object({ text: z.string() })]).rest(z.unknown()),
  }),
});

async function call(name: string, args: object, { token = tokens.admin, query = '' } = {}) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const sent = await ask(server.origin, message, { person: token, path: `/message${query}` });
  const { isError = false, content } = answer.parse(await sent.json()).result;
  return { isError, text: content[0].text };
}
const reactions = (what: string, from?: Readonly<{ token?: string; query?: string }>) =>
  call('workspace_reactions', what === '' ? {} : { what }, from);

describe('workspace_reactions', () => {
  it('explains the format, and lists the reactions with their state (WORK-020)', async () => {
    const { text } = await reactions('');
    expect(text).toContain('when: sales_crm.updated.deal');
    expect(text).toContain('- Reactions/deals.md: dry, sales_crm.updated.deal, 1 run, 0 faults, ok');
    const [example = ''] = /^---\nreaction:[\s\S]*?\n---\n.*\n/m.exec(text) ?? [];
    expect((await reactions(example)).text).toContain('It has no errors.');
    expect((await reactions('guide')).text).toBe(text);
  });

  it('lists events with their fields, and operations as reactions call them, also of one service (WORK-020)', async () => {
    const events = await reactions('events');
    expect(events.text).toMatch(/sales_crm\.updated\.deal[\s\S]*deal\.currency[\s\S]*tracker\.issue\.create/);
    expect((await reactions('events sales_crm')).text).not.toContain('tracker');
    const operations = await reactions('operations tracker');
    expect(operations.text).toContain('- tracker.issues.create: ');
    expect(operations.text).not.toMatch(/issues\.make|vault\./);
  });

  it('names the errors of a text with their lines (WORK-021)', async () => {
    const { text } = await reactions(
      onDeal.replace('updated.deal', 'updated.dael').replace('deal.value > 0', 'deal.value >'),
    );
    expect(text).toContain('It has errors:\n- line 3: ');
    expect(text).toContain('- line 4: ');
  });

  it('tries a text on past events without effect, by the names in it (WORK-021)', async () => {
    const { text } = await reactions(onDeal);
    expect(text).toMatch(/sales_crm\.updated\.deal, .*would call tracker\.issues\.create/);
    expect(text).toContain('"title":"Onboard Acme"');
    expect(text).toContain('wait until an administrator');
    const unmet = await reactions(onDeal.replace('> 0', '> 10'));
    expect(unmet.text).toContain('nothing: its condition is not met');
    expect([await file('Log.md'), await file('Reactions/to be checked.md')]).toEqual(['', '']);
  });

  it('tells administrators why a reaction did not run, and others only its state (WORK-022)', async () => {
    const [mine, theirs] = [
      await reactions('Reactions/deals.md'),
      await reactions('Reactions/deals.md', { token: tokens.member }),
    ];
    expect(mine.text).toContain('would call tracker.issues.create');
    expect(theirs.text).toContain('- state: dry');
    expect(theirs.text).not.toContain('would have done');
    expect((await reactions('Reactions/none.md')).isError).toBe(true);
  });

  it('reads no events of services that a user, an app or a client does not have (WORK-023)', async () => {
    expect((await reactions(onIssue)).text).toContain('Secret issue');
    expect((await reactions(weekly)).text).toContain('Secret issue, 1 deals');
    for (const from of [
      { token: tokens.member },
      { token: tokens.narrow },
      { token: tokens.admin, query: '?services=vault,sales_crm' },
    ]) {
      const closed = await reactions(onIssue, from);
      expect(closed.text).toContain('Events of tracker are left out');
      const scheduled = await reactions(weekly, from);
      expect(scheduled.text).toContain(', 1 deals');
      const listed = await reactions('events', from);
      const refused = await reactions('operations tracker', from);
      expect(refused.isError).toBe(true);
      for (const { text } of [closed, scheduled, listed]) expect(text).not.toMatch(/Secret issue|tracker\.issue\./);
    }
  });

  it('keeps what a reaction did with such events to itself (WORK-023)', async () => {
    const path = 'Reactions/issues.md';
    await call('vault_note_write', { path, content: onIssue.replace('reaction: on', 'reaction: dry') });
    await expect.poll(() => file(path), { timeout: 30_000 }).toContain('reaction_status: ok');
    // Not every user of the vault may use the tracker, so that an administrator has to allow it.
    const browser = await signedInAt(server.origin, ada);
    const pages = { get: async (at: string) => (await browser.get(at)).text(), post: browser.post.bind(browser) };
    expect(await allowReaction(path, pages)).toBe(303);
    const data = issueData({ id: 'another', title: 'Secret plan' });
    const delivery = trackerDelivery(issuePayload(Date.now(), { data }), { 'tracker-delivery': 'another' });
    await post(server.origin, delivery);
    await settled(server.origin);
    expect((await reactions(path)).text).toContain('Secret plan');
    for (const from of [{ token: tokens.member }, { token: tokens.narrow }]) {
      const { text } = await reactions(path, from);
      expect(text).toContain('1 run, 0 faults');
      expect(text).not.toContain('Secret');
    }
  });

  it('is for those who may write reactions (WORK-023)', async () => {
    const set = await fetch(`${server.origin}/set`, { redirect: 'manual' });
    const [guest = ''] = /^[^=]+=([^;]+)/.exec(set.headers.get('set-cookie') ?? '')?.slice(1) ?? [];
    const browser = await signedInAt(server.origin, ada);
    const token = await grantToken(server.origin, browser, { name: 'CRM', services: ['sales_crm'] });
    for (const from of [{ token: guest }, { token }, { query: '?services=tracker' }])
      for (const what of ['', 'events', 'Reactions/deals.md', onDeal]) {
        expect(await reactions(what, from)).toMatchObject({ isError: true });
      }
  });

  it('survives hostile texts, which change nothing (WORK-021)', async () => {
    const before = await file('Reactions/deals.md');
    for (const { text } of hostileReactions) {
      const { text: answered } = await reactions(`${text.slice(0, 100_000)}\n---`);
      expect(answered.length).toBeLessThan(30_000);
    }
    const endless = onDeal.replace(
      '- {{ deal.title }}',
      '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}x{% endfor %}{% endfor %}{% endfor %}',
    );
    expect((await reactions(endless)).text).not.toContain('xxxx');
    expect((await reactions(onDeal)).text).toContain('Onboard Acme');
    expect([await file('Reactions/deals.md'), await file('Log.md')]).toEqual([before, '']);
  });
});
