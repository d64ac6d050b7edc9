import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { type HubSpotEmulator, privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { credentials, type JiraEmulator, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

// The tools over all services with the other vendors, which lack operations and say less in their answers.

let hubspot: HubSpotEmulator;
let jira: JiraEmulator;
let server: WholeServer;
let token: string;

beforeAll(async () => {
  [hubspot, jira] = await Promise.all([startHubSpotEmulator(), startJiraEmulator()]);
  server = await openWholeServer({
    RATE_LIMITS: 'off',
    WEBHOOK_REGISTRATION: 'off',
    SALES_CRM_DIALECT: 'hubspot',
    SALES_CRM_URL: hubspot.url,
    TRACKER_DIALECT: 'jira',
    TRACKER_URL: jira.url,
    TRACKER_AUTHORIZE_URL: jira.authorizeUrl,
    TRACKER_TOKEN_URL: jira.tokenUrl,
    TRACKER_CLIENT_ID: credentials.clientId,
    TRACKER_CLIENT_SECRET: credentials.clientSecret,
  });
  const person = await SignedIn.to(server.origin, ada);
  await person.save('sales_crm', 'personal_token', privateAppToken);
  await person.connect('tracker');
  token = await accessToken(server);
  jira.site.add('ENG', '10102', { summary: 'Acme Ltd cannot sign in' });
  await call('sales_crm_org_create', { name: 'Acme Ltd' });
  const emails = [{ value: 'ann@acme.example', primary: true }];
  await call('sales_crm_person_create', { name: 'Ann Buyer', emails, org: 'Acme Ltd' });
  await call('sales_crm_deal_create', { title: 'Acme: licences', org: 'Acme Ltd', value: 500, currency: 'EUR' });
  await call('sales_crm_lead_create', { title: 'Acme asks', org: 'Acme Ltd' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([hubspot.close(), jira.close()]);
});

const answer = z.object({
  result: z.looseObject({
    isError: z.boolean().optional(),
    content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
  }),
});

async function call(name: string, args: object): Promise<string> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const sent = await post(server.origin, message, { person: token, path: '/message' });
  const { isError = false, content } = answer.parse(await sent.json()).result;
  expect(isError, content[0].text).toBe(false);
  return content[0].text;
}

it('a search does not name a vendor that has no documents as unanswered (WORK-003)', async () => {
  const { hits, unanswered } = z
    .object({ hits: z.array(z.looseObject({ title: z.string() })), unanswered: z.array(z.unknown()) })
    .parse(JSON.parse(await call('workspace_search', { query: 'Acme' })));
  expect(hits.map(({ title }) => title).toSorted()).toEqual([
    'Acme Ltd',
    'Acme Ltd cannot sign in',
    'Acme asks',
    'Acme: licences',
    'Ann Buyer',
  ]);
  expect(unanswered).toEqual([]);
});

it.each(['Acme Ltd', 'acme.example'])(
  'a brief on %s is of the company, also where a search does not say whose person it is (WORK-013)',
  async (about) => {
    const text = await call('workspace_brief', { about });
    expect(text.startsWith('# Acme Ltd (organization)\n')).toBe(true);
    for (const line of [
      '- Ann Buyer: ann@acme.example [sales_crm person ',
      '- Acme asks [sales_crm lead ',
      '- Acme: licences: open, 500 EUR, Appointment Scheduled [sales_crm deal ',
      '- Acme Ltd cannot sign in: To Do (by name) [tracker ENG-',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('Not answered');
  },
);
