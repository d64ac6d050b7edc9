import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { failed } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { AnsweringProvider } from '#test/support/services/answering-provider.ts';
import { type EmulatedServices, startServices } from '#test/support/services/emulated-services.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';

// Whoever names something that does not exist gets what does exist, the nearest first.

let services: EmulatedServices;
let server: WholeServer;
let token: string;

beforeAll(async () => {
  services = await startServices();
  server = await openWholeServer({ RATE_LIMITS: 'off', WEBHOOK_REGISTRATION: 'off', ...services.settings });
  await services.connect(await SignedIn.to(server.origin, ada));
  token = await accessToken(server);
  await call('vault_note_write', { path: 'Deals/Acme.md', content: 'text', mode: 'create' });
  await call('vault_note_write', { path: 'Root.md', content: 'text', mode: 'create' });
  const created = await call('signing_document_create', {
    name: 'Acme NDA',
    url: 'https://files.example/acme.pdf',
    recipients: [{ email: 'ada@example.com' }],
  });
  expect(created.isError ?? false, JSON.stringify(created)).toBe(false);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await services.close();
});

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z
    .looseObject({ reason: z.string().optional(), message: z.string().optional(), details: z.unknown().optional() })
    .optional(),
});

async function call(name: string, args: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await post(server.origin, message, { person: token });
  return resultSchema.parse(z.looseObject({ result: z.unknown() }).parse(await answer.json()).result);
}

describe('a missing record is reported with the nearest ones (TOOL-010)', () => {
  it.each([
    ['vault_note_read', { path: 'Deals/Acm.md' }, 'note "Deals/Acm.md"', 'Deals/Acme.md'],
    ['vault_note_section', { path: 'Deals/Acm.md', lines: '1' }, 'note "Deals/Acm.md"', 'Deals/Acme.md'],
    ['vault_note_read', { path: 'deals/acme.md' }, 'note "deals/acme.md"', 'Deals/Acme.md'],
    ['vault_note_read', { path: 'Rot.md' }, 'note "Rot.md"', 'Root.md'],
    ['vault_note_delete', { path: 'Nowhere/None.md' }, 'note "Nowhere/None.md"', null],
    ['vault_vault_list', { dir_path: 'Dealz' }, 'folder "Dealz"', 'Deals'],
    ['vault_command_run', { command_id: 'constructor' }, 'command "constructor"', null],
    ['suite_record_list', { module: 'contacts' }, 'module "contacts"', 'Contacts'],
    ['suite_record_list', { module: 'Contact' }, 'module "Contact"', 'Contacts'],
    ['suite_record_get', { module: 'Ledas', id: '1' }, 'module "Ledas"', 'Leads'],
    ['suite_fields_list', { module: 'toString' }, 'module "toString"', null],
    ['signing_document_get', { id: 'Acme ND' }, 'document "Acme ND"', 'Acme NDA'],
    ['signing_document_send', { id: 'acme nda' }, 'document "acme nda"', 'Acme NDA'],
    ['signing_template_get', { id: 'none' }, 'template "none"', null],
  ])('%s %j', async (tool, args, what, near) => {
    const { isError, structuredContent } = await call(tool, args);
    const place = Object.keys(args)[0] === 'id' && 'module' in args ? 'module' : Object.keys(args)[0];
    expect([isError, structuredContent?.message]).toEqual([true, expect.stringContaining(`There is no ${what}.`)]);
    expect(structuredContent?.details).toMatchObject([{ path: [place], nearest: near }]);
    if (near !== null) expect(structuredContent?.message).toContain(`Did you mean "${near}"?`);
  });

  it('except for what no user calls', async () => {
    const provider = new AnsweringProvider('suite_crm');
    const url = await provider.listen();
    provider.says = { json: '[]' };
    provider.head = { status: 404, headers: { 'content-type': 'application/json' } };
    const http = new HttpClient(() => 0);
    const signing = providersFrom(readSettings({ SIGNING_URL: url })).filter(({ service }) => service === 'signing');
    const record = tokenRecord('signing', { authMethod: 'api_key', accessToken: 'the-key' });
    const tokens = { find: async () => ok(record), renew: async () => err(failed('unauthorized', 'gone')) };
    const operations = operationsOver({ providers: signing, tokens, http });
    const called = await operations.call({ userId: 1, service: 'signing', name: 'documents.get', input: { id: 'x' } });
    expect([called.ok ? 'ok' : called.reason, provider.requests]).toEqual(['not_found', 1]);
    http.close();
    await provider.close();
  });
});

it.each([
  ['vault_note_read', { path: 'Acme.md' }, 'note "Acme.md"', 'Deals/Acme.md'],
  ['vault_note_read', { path: 'Customers/ACME.md' }, 'note "Customers/ACME.md"', 'Deals/Acme.md'],
  ['vault_note_read', { path: 'Deals/Acme' }, 'note "Deals/Acme"', 'Deals/Acme.md'],
  ['vault_note_patch', { path: 'Deals/Acm.md', target: 'Log', content: 'x' }, 'note "Deals/Acm.md"', 'Deals/Acme.md'],
  ['vault_tags_add', { path: 'Acme', tags: ['x'] }, 'note "Acme"', 'Deals/Acme.md'],
])(
  'a missing note is reported with the one that was probably meant: %s %j (EMB-029)',
  async (tool, args, what, near) => {
    const { isError, structuredContent } = await call(tool, args);
    expect(isError).toBe(true);
    expect(structuredContent?.message).toContain(`There is no ${what}. Did you mean "${near}"?`);
  },
);

it('a missing note is reported with those in all folders whose names contain it (EMB-030)', async () => {
  await call('vault_note_write', { path: 'Organisations/Kestrel Foods.md', content: 'x' });
  await call('vault_note_write', { path: 'Deals/Kestrel Foods - Pilot.md', content: 'Kestrel' });
  await call('vault_note_write', { path: 'Deals/Other.md', content: 'With Kestrel.' });
  const { structuredContent } = await call('vault_note_read', { path: 'Kestrel.md' });
  const [first = '', list = '', ...more] = structuredContent?.message?.split('. There are ') ?? [];
  expect([first, more]).toEqual(['There is no note "Kestrel.md"', []]);
  expect(list.match(/"[^"]*"/g)?.toSorted()).toEqual([
    '"Deals/Kestrel Foods - Pilot.md"',
    '"Organisations/Kestrel Foods.md"',
  ]);
});

describe('a query in the wrong language', () => {
  it('is explained by both languages', async () => {
    const { structuredContent } = await call('vault_search_advanced', { query: '{"==": [' });
    expect(structuredContent).toMatchObject({ reason: 'invalid_input' });
    expect(structuredContent?.message).toMatch(/^The query is not JSON\..* a DQL query takes `type` "dql"\.$/);
  });
});
