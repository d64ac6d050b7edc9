import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SignedIn } from '#test/demo/signed-in.ts';
import { privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { hubspotApp } from '#test/emulators/hubspot/oauth.ts';
import { credentials, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { allowReaction } from '#test/support/changes/decision-form.ts';
import { invited } from '#test/support/server/invited.ts';
import { adminPassword, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

/** What the team's reaction does: a deal that is won opens an issue, whichever CRM it is in. */
const won = `---
reaction: on
when: sales_crm.updated.deal
if: deal.status == "won" and previous.status != "won"
once: "{{ deal.id }}"
do:
  - tracker.issues.create: { team: ENG, title: "Onboard {{ deal.title }}" }
---
`;

/** A part of the story, and the notes that hold what it came to. */
export type Part = Readonly<{ what: string; notes: Readonly<Record<string, string>> }>;

/** It as text, with the notes indented. */
export function partText({ what, notes }: Part): string {
  const shown = Object.entries(notes).map(([path, text]) => `\n    ${path}\n${text.replaceAll(/^(?=.)/gm, '    │ ')}`);
  return `\n${what}\n${shown.join('')}`;
}

const hooks = { user: 'hooks', password: 'a-long-password' };

/**
 * Plays the story of two people with two CRMs, HubSpot and Pipedrive, and one Jira: a deal is won in each, its note
 * follows, an issue is opened and has its note. Throws where something does not come to be within a minute.
 */
export async function playTwoCrms(onPart: (part: Part) => void): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const pipedrive = stack.adopt(await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] }), (one) =>
    one.close(),
  );
  const hubspot = stack.adopt(await startHubSpotEmulator(), (one) => one.close());
  const jira = stack.adopt(await startJiraEmulator(), (one) => one.close());
  const server = stack.use(
    await startWholeServer({
      RATE_LIMITS: 'off',
      WEBHOOK_REGISTRATION: 'off',
      SALES_CRM_DIALECT: 'pipedrive,hubspot',
      SALES_CRM_URL: pipedrive.url,
      SALES_CRM_WEBHOOK_SECRET: `${hooks.user}:${hooks.password}`,
      SALES_CRM_HUBSPOT_URL: hubspot.url,
      SALES_CRM_HUBSPOT_CLIENT_ID: hubspotApp.clientId,
      SALES_CRM_HUBSPOT_CLIENT_SECRET: hubspotApp.clientSecret,
      TRACKER_DIALECT: 'jira',
      TRACKER_URL: jira.url,
      TRACKER_AUTHORIZE_URL: jira.authorizeUrl,
      TRACKER_TOKEN_URL: jira.tokenUrl,
      TRACKER_CLIENT_ID: credentials.clientId,
      TRACKER_CLIENT_SECRET: credentials.clientSecret,
      TRACKER_WEBHOOK_SECRET: 'the secret of the tracker',
    }),
  );
  const receiver = (service: string) => `${server.origin}/webhooks/${service}`;
  const ada = await SignedIn.to(server.origin, { email: 'admin@localhost', password: adminPassword });
  const browser = await server.signedIn();
  const bob = await invited(server, browser, 'bob@example.com', { permissions: ['sales_crm', 'tracker', 'vault'] });

  await ada.connect('tracker');
  const key = { service: 'sales_crm', auth_method: 'personal_token' };
  await ada.call('POST', '/save', { ...key, access_token: privateAppToken, extra: { vendor: 'hubspot' } });
  const ofBob = { ...key, access_token: personalToken, extra: { vendor: 'pipedrive' } };
  const saved = await sendJson(server, bob, ['POST', '/save', ofBob]);
  const show = (what: string, notes: Part['notes'] = {}) => onPart({ what, notes });
  show(`Ada connects HubSpot and Jira, Bob connects Pipedrive (${saved.status})`);

  await ada.call('POST', '/api/tracker/webhooks', {
    url: receiver('tracker'),
    resourceTypes: ['Issues'],
    secret: 'the secret of the tracker',
  });
  hubspot.webhooks.target(receiver('sales_crm').replace('127.0.0.1', 'localhost'));
  await sendJson(server, bob, [
    'POST',
    '/api/sales_crm/webhooks',
    {
      subscription_url: receiver('sales_crm'),
      event_action: '*',
      event_object: '*',
      http_auth_user: hooks.user,
      http_auth_password: hooks.password,
    },
  ]);
  const reactions = join(server.dataDir, 'vault', 'Reactions');
  await mkdir(reactions, { recursive: true });
  await writeFile(join(reactions, 'won.md'), won);
  await noteWith(server, 'Reactions/won.md', 'reaction_status: ok');
  const pages = { get: async (path: string) => (await browser.get(path)).text(), post: browser.post.bind(browser) };
  const allowed = await allowReaction('Reactions/won.md', pages);
  show(`The team writes a reaction, and Ada allows it (${allowed})`);

  const chairs = hubspot.store.create('deals', {
    dealname: 'Twenty chairs',
    amount: '1200',
    dealstage: 'contractsent',
    pipeline: 'default',
  });
  hubspot.webhooks.take();
  hubspot.store.update(chairs, { dealstage: 'closedwon' });
  await hubspot.webhooks.deliver();
  await showOf(
    'Twenty chairs',
    `sales_crm_deal_id: hubspot/${chairs.id}`,
    'The deal “Twenty chairs” is won at HubSpot',
  );

  const id = String(pipedrive.records.create('deal', { title: 'Ten tables', value: 30, status: 'open' })['id']);
  pipedrive.records.update('deal', id, { status: 'won' });
  await pipedrive.webhooks.settled();
  await showOf('Ten tables', `sales_crm_deal_id: "${id}"`, 'The deal “Ten tables” is won at Pipedrive');

  async function showOf(title: string, words: string, what: string): Promise<void> {
    const deal = await noteWith(server, `Deals/${title}.md`, words);
    const issue = await noteWith(server, `Onboard ${title}.md`, 'tracker_issue_id');
    show(`${what}: its note follows, and an issue is opened at Jira`, Object.fromEntries([deal, issue]));
  }
}

/** The note whose path ends so, once it holds the words. */
async function noteWith({ dataDir }: WholeServer, end: string, words: string): Promise<readonly [string, string]> {
  const vault = join(dataDir, 'vault');
  for (let round = 0; round < 600; round += 1) {
    const path = (await readdir(vault, { recursive: true })).find((one) => one.endsWith(end));
    const text = path === undefined ? '' : await readFile(join(vault, path), 'utf8');
    if (path !== undefined && text.includes(words)) return [path, text];
    await delay(100);
  }
  throw new Error(`No note ${end} came to hold: ${words}`);
}
