import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { type OpenPortolan, openPortolan } from '#bootstrap/portolan.ts';
import { builtInReactions } from '#domain/reactions/built-in.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { connectAll, demoSettings, type Emulators, startEmulators } from '#test/demo/stage.ts';
import { app as salesCrmApp } from '#test/emulators/sales-crm/oauth.ts';
import {
  dealPayload,
  documentPayload,
  partyPayload,
  salesCrmDelivery,
  signingDelivery,
  signingKey,
  suiteCrmDelivery,
  suiteCrmToken,
} from '#test/support/webhooks/webhook-senders.ts';
import { admin, metricsToken, post, serverFolder, settled } from '#test/support/webhooks/webhook-server.ts';
import {
  issueData,
  issuePayload,
  sign,
  trackerDelivery,
  trackerSecret,
} from '#test/support/webhooks/webhook-tracker.ts';

const weekMs = 7 * 86_400_000;
const closers: (() => Promise<void> | void)[] = [];
/** It begins on a Wednesday at noon. */
const clock = { aheadMs: Date.UTC(2026, 0, 14, 12) - Date.now(), now: () => Date.now() + clock.aheadMs };
let emulators: Emulators;
let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: OpenPortolan;
let baseUrl: string;
let person: SignedIn;

const vault = (path: string) => join(folder.path, 'vault', path);
const note = (path: string) => readFile(vault(path), 'utf8').catch(() => '');
const names = async () => (await readdir('docs/reactions')).filter((name) => name !== 'README.md').sort();

beforeAll(async () => {
  folder = await serverFolder();
  closers.push(() => folder.remove());
  emulators = await startEmulators(closers);
  emulators.tracker.space.add('Team', { key: 'ONB', name: 'Onboarding', memberIds: [] });
  await mkdir(vault(''), { recursive: true });
  await cp('docs/reactions', vault('Reactions'), { recursive: true });
  const secrets = { signing: signingKey, suiteCrm: suiteCrmToken, tracker: trackerSecret };
  const settings = readSettings({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder.path,
    RATE_LIMITS: 'off',
    PRIVATE_ADDRESSES: 'on',
    METRICS_TOKEN: metricsToken,
    ...demoSettings({ emulators, user: admin, secrets }),
  });
  const config = { ...checkConfig({}), services: settings.services.map(({ service }) => service) };
  server = await openPortolan({ settings, config, logger: openLogger('silent'), version: '0.0.0', clock });
  closers.push(() => server.stop());
  await server.listen();
  baseUrl = server.baseUrl;
  person = await SignedIn.to(baseUrl, admin);
  await connectAll(person, emulators);
}, 120_000);
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const page = async (path: string) => (await person.fetch(path)).text();

/** Sends the form with that action on a page, with nothing ticked. */
async function send(html: string, action: string, more: Readonly<Record<string, string>> = {}): Promise<number> {
  const form = html.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const hidden = form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g);
  const fields = [...hidden].map(([, name = '', value = '']): [string, string] => [name, value]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl };
  const body = new URLSearchParams([...fields, ...Object.entries(more)]).toString();
  return (await person.fetch(action, { method: 'POST', headers, body, redirect: 'manual' })).status;
}

async function deliver(delivery: Delivery): Promise<void> {
  const answer = await post(baseUrl, delivery);
  expect(answer.status).toBe(200);
  await settled(baseUrl);
}

const now = () => new Date(clock.now()).toISOString();
const sales = (payload: Readonly<Record<string, unknown>>) =>
  salesCrmDelivery(payload, {
    'x-salescrm-signature': sign(Buffer.from(JSON.stringify(payload)), salesCrmApp.clientSecret),
  });
const deal = (data: Readonly<Record<string, unknown>>, previous: Readonly<Record<string, unknown>> = {}) =>
  sales(dealPayload({ title: 'Acme', ...data }, previous, now()));
const document = (event: string, status: string, id = 'doc1') =>
  signingDelivery(documentPayload(clock.now(), event, { id, name: 'Agreement', status: `document.${status}` }));
let sent = 0;
const issue = (action: string, data: Readonly<Record<string, unknown>>, updatedFrom: object = {}) => {
  sent += 1;
  const payload = issuePayload(clock.now(), { action, data: issueData({ updatedAt: now(), ...data }), updatedFrom });
  return trackerDelivery(payload, { 'tracker-delivery': `d-${sent}` });
};
const issueTitles = () => emulators.tracker.space.all('Issue').map(({ title }) => title);
const suiteRecords = (module: string) =>
  emulators.suiteCrm.requests.filter((line) => line.includes(`/${module}/upsert`));

/** What sets each example off, and its effect. */
const runs: Readonly<Record<string, () => Promise<void>>> = {
  'deal-updated': async () => {
    await deliver(deal({ id: 7, status: 'open', value: 100 }, { status: 'lost', value: 90 }));
    expect(await note('Deals/Acme.md')).toMatch(/^sales_crm_deal_id: "7"\n(?:.*\n)*value: 100\n/m);
    expect(await note('Deals/Acme.md')).toMatch(/^- 20.* UTC: status lost → open, value 90 → 100 \^evt-/m);
  },
  'party-updated': async () => {
    const data = {
      id: 3,
      name: 'Ann Lee',
      first_name: 'Ann',
      last_name: 'Lee',
      emails: [{ value: 'ann@acme.example', primary: true }],
    };
    await deliver(sales(partyPayload('person', data, now())));
    expect(suiteRecords('Contacts')).toHaveLength(1);
  },
  'party-updated-organization': async () => {
    await deliver(
      sales(partyPayload('organization', { id: 4, name: 'Acme Ltd', website: 'https://acme.example' }, now())),
    );
    expect(suiteRecords('Accounts')).toHaveLength(1);
  },
  'document-state-changed': async () => {
    await deliver(document('document_state_changed', 'viewed'));
    expect(await note('Contracts/Agreement.md')).toMatch(/^status: document.viewed$/m);
    expect(await note('Contracts/Agreement.md')).toMatch(
      /^## Status History\n- 20.*: status → document\.viewed \^evt-/m,
    );
  },
  'document-ready': async () => {
    for (const _ of [1, 2]) await deliver(document('document_completed_pdf_ready', 'viewed'));
    expect((await note('Contracts/Agreement.md')).match(/^- \[Download the signed PDF\]\(.*doc1/gm)).toHaveLength(1);
  },
  'issue-changed': async () => {
    await deliver(issue('create', {}));
    await deliver(issue('remove', {}));
    const text = await note('Issues/ENG-7 Fix login.md');
    expect(text).toMatch(/^status: removed$/m);
    expect(text).toMatch(/^- 20.* UTC: created by Bea \^evt-.*\n- 20.* UTC: removed by Bea \^evt-/m);
  },
  'won-into-the-week': async () => {
    await deliver(deal({ id: 8, title: 'Big', status: 'won', value: 500 }, { status: 'open' }));
    expect(await note('Weekly/2026-W03.md')).toMatch(/^## Won\n- \*\*Big\*\*, 500 EUR \(.*\) \^evt-/m);
    expect(issueTitles()).toContain('Onboard Big');
  },
  'lost-deals': async () => {
    await deliver(deal({ id: 9, title: 'Gone', status: 'lost', lost_reason: 'Too *dear*' }, { status: 'open' }));
    expect(await note('Lost deals.md')).toMatch(/^## 20\d\d\n- .*: Gone, 112 EUR – Too \\\*dear\\\* \^evt-/m);
  },
  'support-closed': async () => {
    const data = {
      project: { id: 'p', name: 'Support' },
      state: { id: 's', name: 'Done' },
      labels: [{ id: 'l', name: 'Acme' }],
    };
    await deliver(issue('update', data, { stateId: 'd1' }));
    expect(await note('Customers/Acme.md')).toMatch(/^## Support\n- 20.*: \[ENG-7\]\(.*\) Fix login \^evt-/m);
  },
  'urgent-today': async () => {
    await deliver(issue('create', { id: 'urgent-1', identifier: 'ENG-8', priority: 1 }));
    expect(await note('Daily/2026-01-14.md')).toMatch(/^## Urgent\n- \[ \] \[ENG-8\].* Fix login \(Ann\) \^evt-/m);
  },
  'contract-sent': async () => {
    await deliver(document('document_state_changed', 'sent', 'doc2'));
    const bodies = emulators.salesCrm.requests
      .filter(({ method }) => method === 'POST')
      .map((one) => JSON.stringify(one));
    expect(bodies.join('\n')).toContain('/activities');
  },
  'contract-signed': async () => {
    await deliver(document('document_state_changed', 'completed', 'doc3'));
    expect(issueTitles()).toContain('Deliver Agreement');
    expect(await note('Contracts/Signed.md')).toMatch(/^- 20.*: Agreement \(.*\) \^evt-/m);
  },
  'new-person': async () => {
    const data = { id: 5, name: 'Bo Roe', emails: [{ value: 'bo@acme.example', primary: true }] };
    await deliver(sales(partyPayload('person', data, now(), 'added')));
    expect(await note('People/Bo Roe.md')).toMatch(
      /^email: bo@acme\.example\n(?:.*\n)*---\n(?:.*\n)*Met on .* \^evt-/m,
    );
  },
  'new-account': async () => {
    await deliver(
      suiteCrmDelivery({
        module: 'Accounts',
        operation: 'insert',
        ids: ['9001'],
        affected_values: [{ record_id: '9001', values: { Account_Name: 'Acme & Co' } }],
        server_time: clock.now(),
      }),
    );
    expect(await note('New accounts.md')).toMatch(/^## .* 20\d\d\n- Acme & Co \^evt-/m);
  },
  'signed-this-week': async () => {
    await pass();
    await expect.poll(() => note('Weekly/2026-W03.md'), { timeout: 60_000 }).toMatch(/^## Signed\n- Agreement \^evt-/m);
  },
  'tracker-this-morning': async () => {
    await expect
      .poll(() => note('Daily/2026-01-21.md'), { timeout: 60_000 })
      .toMatch(/^## Tracker\n- issue\.create: ENG-7 Fix login\n/m);
  },
};

/** Has a week pass, and the schedules looked at: of the times that were missed, the last is made up for. */
async function pass(): Promise<void> {
  clock.aheadMs += weekMs;
  await writeFile(vault('Reactions/wake.md'), 'No reaction.');
}

describe('the example reactions', () => {
  it('are all valid, and can be switched on without the built-in ones (WRITE-020)', async () => {
    // Pages do not wait for that (WRITE-042).
    const isRead = async () => JSON.parse(await page('/api/approvals')).reactions_read;
    await expect.poll(isRead, { timeout: 60_000 }).toBe(true);
    const all = await names();
    expect(all).toHaveLength(builtInReactions.length + 11);
    expect(builtInReactions.every(({ name }) => all.includes(`${name}.md`))).toBe(true);
    expect(
      Object.keys(runs)
        .map((name) => `${name}.md`)
        .sort(),
    ).toEqual(all);
    expect(await send(await page('/reactions'), '/reactions/switches')).toBe(303);
    for (const name of all) {
      const address = `/reactions/one?path=${encodeURIComponent(`Reactions/${name}`)}`;
      const shown = await page(address);
      expect(shown, name).not.toContain('<h2>Errors</h2>');
    }
    const waiting = await page('/approvals');
    const actions = [...waiting.matchAll(/action="(\/approvals\/reaction:[^"]+)"/g)].map(([, action = '']) => action);
    for (const action of actions) expect(await send(waiting, action, { decision: 'allow' })).toBe(303);
    expect(await page('/approvals')).not.toContain('/approvals/reaction:');
  });

  it.each(Object.keys(runs))(
    'take effect: %s (WRITE-020)',
    async (name) => {
      await runs[name]?.();
    },
    120_000,
  );

  it('have had no error after that (WRITE-020)', async () => {
    expect(await page('/reactions')).not.toMatch(/[1-9]\d* faults/);
    expect(await page('/deliveries')).not.toContain('state-dead');
  });
});
