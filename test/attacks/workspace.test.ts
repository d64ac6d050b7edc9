import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { type EmulatedServices, startServices } from '#test/support/services/emulated-services.ts';

// The tools over all services are no way around the rights of an app, a user, a switch or a client's choice.

let services: EmulatedServices;
let server: WholeServer;
let browser: PlainBrowser;
let person: SignedIn;

beforeAll(async () => {
  services = await startServices();
  server = await openWholeServer({ RATE_LIMITS: 'off', WEBHOOK_REGISTRATION: 'off', ...services.settings });
  person = await SignedIn.to(server.origin, ada);
  await services.connectByKeys(person);
  browser = await signedInAt(server.origin, ada);
  const all = await app({ name: 'All' });
  await call(all, 'vault_note_write', { path: 'Secret.md', content: 'zebra' });
  await call(all, 'tracker_issue_create', { title: 'zebra', team: 'ENG' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await services.close();
});

const app = (wanted: Parameters<typeof grantToken>[2]) => grantToken(server.origin, browser, wanted);
const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.looseObject({}).optional(),
  content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
});
const listed = z.object({
  result: z.object({ tools: z.array(z.looseObject({ name: z.string(), annotations: z.looseObject({}) })) }),
});

async function ask(token: string, message: object, query: string): Promise<unknown> {
  return (await post(server.origin, message, { person: token, path: `/message${query}` })).json();
}

async function call(token: string, name: string, args: unknown, query = '') {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { result } = z.looseObject({ result: resultSchema }).parse(await ask(token, message, query));
  // A long answer is sent once, as text.
  const { structuredContent = z.looseObject({}).parse(JSON.parse(result.content[0].text)) } = result;
  return { ...result, structuredContent };
}

async function toolsOf(token: string, query = '') {
  const { result } = listed.parse(await ask(token, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, query));
  return new Map(result.tools.map(({ name, annotations }) => [name, annotations]));
}

const requests = () => Object.values(services.fronts).reduce((sum, front) => sum + front.requests(), 0);

it('an app with one service reads and changes no other by them (WORK-006)', async () => {
  const vaultOnly = await app({ name: 'Notes', services: ['vault'] });
  const before = requests();
  const { structuredContent: found } = await call(vaultOnly, 'workspace_search', { query: 'zebra' });
  expect(found).toMatchObject({ searched: ['vault'], unanswered: [] });
  for (const args of [
    { query: 'zebra', services: ['tracker'] },
    { query: 'zebra', services: ['sales_crm', 'signing'] },
  ]) {
    const { isError, structuredContent } = await call(vaultOnly, 'workspace_search', args);
    expect([isError, structuredContent['reason']]).toEqual([true, 'forbidden']);
  }
  const { content } = await call(vaultOnly, 'workspace_brief', { about: 'zebra' });
  expect(content[0]?.text).not.toMatch(/tracker|sales_crm/);
  for (const [operation, item] of [
    ['tracker_issue_create', { title: 'x', team: 'ENG' }],
    ['tracker.issues.search', {}],
    ['sales_crm_deals_list', {}],
  ] as const) {
    const { isError, structuredContent } = await call(vaultOnly, 'workspace_bulk', { operation, items: [item] });
    expect([isError, structuredContent['reason']]).toEqual([true, 'forbidden']);
  }
  expect(requests()).toBe(before);
});

it('an app that may only read has a bulk that reads, and writes nothing by it (WORK-010)', async () => {
  const reader = await app({ name: 'Reader', services: ['vault', 'tracker'], access: 'read' });
  const all = await app({ name: 'Writer' });
  expect((await toolsOf(all)).get('workspace_bulk')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  for (const [token, query] of [
    [reader, ''],
    [all, '?readonly=1'],
  ] as const) {
    expect((await toolsOf(token, query)).get('workspace_bulk')).toMatchObject({ readOnlyHint: true });
    const written = { operation: 'vault_note_write', items: [{ path: 'Made.md', content: 'x' }] };
    const { isError, structuredContent } = await call(token, 'workspace_bulk', written, query);
    expect([isError, structuredContent['reason']]).toEqual([true, 'forbidden']);
    const read = { operation: 'vault_note_read', items: [{ path: 'Secret.md' }, { path: 'Made.md' }] };
    const { structuredContent: both } = await call(token, 'workspace_bulk', read, query);
    expect(both).toMatchObject({ done: [{ item: 1, answer: 'zebra' }], refused: [{ item: 2, reason: 'not_found' }] });
  }
  const catalogue = await call(reader, 'run_write_tool', { tool: 'workspace_bulk', arguments: {} }, '?mode=catalogue')
    .then(({ isError }) => isError)
    .catch(() => true);
  expect(catalogue).toBe(true);
});

it('a client that left a service out has it in neither tool (WORK-006)', async () => {
  const all = await app({ name: 'Chooser' });
  const before = requests();
  const bulk = { operation: 'tracker_issues_list', items: [{}] };
  const { structuredContent } = await call(all, 'workspace_bulk', bulk, '?services=vault');
  expect(structuredContent['reason']).toBe('forbidden');
  const { structuredContent: found } = await call(all, 'workspace_search', { query: 'zebra' }, '?services=vault');
  expect(found['searched']).toEqual(['vault']);
  await call(all, 'workspace_brief', { about: 'zebra' }, '?services=vault');
  expect(requests()).toBe(before);
});

it('what the user switched off for apps stays off in them (WORK-006)', async () => {
  const all = await app({ name: 'Switched' });
  await person.call('PUT', '/api/switches', { off: ['vault:search.notes', 'vault:notes.read_part'] });
  try {
    const { isError, structuredContent } = await call(all, 'workspace_search', { query: 'zebra', services: ['vault'] });
    expect([isError, structuredContent['reason']]).toEqual([true, 'forbidden']);
    const bulk = { operation: 'vault_note_read', items: [{ path: 'Secret.md' }] };
    expect((await call(all, 'workspace_bulk', bulk)).structuredContent['reason']).toBe('forbidden');
  } finally {
    await person.call('PUT', '/api/switches', { off: [] });
  }
});

it('neither the guest nor a user without any service has them (WORK-001)', async () => {
  const set = await fetch(`${server.origin}/set`, { redirect: 'manual' });
  const [guest = ''] = /^[^=]+=([^;]+)/.exec(set.headers.get('set-cookie') ?? '')?.slice(1) ?? [];
  const somebody = await invited(server, browser, 'nobody@example.com', { permissions: [] });
  const nobody = await grantToken(server.origin, somebody, { name: 'Nothing' });
  for (const token of [guest, nobody]) {
    expect([...(await toolsOf(token)).keys()].filter((name) => name.startsWith('workspace_'))).toEqual([]);
    for (const [name, args] of [
      ['workspace_search', { query: 'zebra' }],
      ['workspace_brief', { about: 'zebra' }],
    ] as const) {
      const { isError, structuredContent } = await call(token, name, args);
      expect([isError, structuredContent['reason']]).toEqual([true, 'forbidden']);
    }
    const bulk = await call(token, 'workspace_bulk', { operation: 'vault_note_read', items: [{ path: 'Secret.md' }] });
    expect([bulk.isError, bulk.structuredContent['reason']]).toEqual([true, 'forbidden']);
  }
});

it('huge answers of many calls name every item, within the limit of one answer (WORK-008)', async () => {
  const all = await app({ name: 'Huge' });
  await call(all, 'vault_note_write', { path: 'Huge.md', content: 'huge '.repeat(100_000) });
  const items = Array.from({ length: 50 }, () => ({ path: 'Huge.md' }));
  const { content } = await call(all, 'workspace_bulk', { operation: 'vault_note_read', items });
  // A long answer is sent once, as text.
  const answered: unknown = JSON.parse(content[0]?.text ?? '');
  const { done } = z.object({ done: z.array(z.looseObject({ item: z.number() })) }).parse(answered);
  expect(done.map(({ item }) => item)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(content[0]?.text?.length).toBeLessThan(100_000);
});
