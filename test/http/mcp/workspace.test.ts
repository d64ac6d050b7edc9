import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { type EmulatedServices, startServices } from '#test/support/services/emulated-services.ts';

// The tools over all services, over the whole app with the five emulated services.

let services: EmulatedServices;
let server: WholeServer;
let token: string;

beforeAll(async () => {
  services = await startServices();
  server = await openWholeServer({ RATE_LIMITS: 'off', WEBHOOK_REGISTRATION: 'off', ...services.settings });
  await services.connect(await SignedIn.to(server.origin, ada));
  token = await accessToken(server);
  const { id } = await made('sales_crm_org_create', { name: 'Nordlicht Energie' });
  await made('sales_crm_deal_create', { title: 'Nordlicht: 40 licences', org_id: id, value: 12_000, currency: 'EUR' });
  await made('suite_record_create', { module: 'Accounts', data: [{ Account_Name: 'Nordlicht Energie' }] });
  await made('tracker_issue_create', { title: 'Nordlicht cannot sign in', team: 'ENG' });
  await made('vault_note_write', { path: 'Customers/Nordlicht.md', content: 'Nordlicht wants a demo.' });
  await made('signing_document_create', {
    name: 'Nordlicht NDA',
    url: 'https://files.example/nda.pdf',
    recipients: [{ email: 'ada@example.com' }],
  });
});
afterEach(async () => {
  for (const front of Object.values(services.fronts)) await front.be('well');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await services.close();
});

const hit = z.object({
  title: z.string(),
  kind: z.string(),
  service: z.string(),
  id: z.string(),
  state: z.string().nullable(),
  time: z.string().nullable(),
  link: z.string().nullable(),
});
const unanswered = z.array(z.object({ service: z.string(), reason: z.string(), message: z.string() }));
const found = z.object({ hits: z.array(hit), searched: z.array(z.string()), unanswered });
const bulk = z.object({
  done: z.array(z.looseObject({ item: z.number(), id: z.string().optional() })),
  refused: z.array(z.looseObject({ item: z.number(), reason: z.string(), message: z.string() })),
  not_tried: z.array(z.number()),
  stopped: z.string().optional(),
});
const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.looseObject({}).optional(),
  content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
});

async function answered(name: string, args: object, query = '') {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await post(server.origin, message, { person: token, path: `/message${query}` });
  return z.looseObject({ result: resultSchema }).parse(await answer.json()).result;
}

async function call(name: string, args: object, query = '') {
  const result = await answered(name, args, query);
  // A long answer is sent once, as text.
  const { structuredContent = z.looseObject({}).parse(JSON.parse(result.content[0].text)) } = result;
  return { ...result, structuredContent };
}

async function made(name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const result = await call(name, args);
  expect(result.isError ?? false, JSON.stringify(result)).toBe(false);
  return result.structuredContent;
}

const search = async (args: object, query = '') =>
  found.parse((await call('workspace_search', args, query)).structuredContent);
const many = async (operation: string, items: readonly unknown[]) =>
  bulk.parse((await call('workspace_bulk', { operation, items })).structuredContent);

describe('workspace_search', () => {
  it('finds records, documents, issues and notes of all services (WORK-002)', async () => {
    const { hits, searched, unanswered: failures } = await search({ query: 'Nordlicht' });
    expect([searched, failures]).toEqual([['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'], []]);
    const kinds = hits.map(({ service, kind, title }) => `${service} ${kind} ${title}`);
    expect(kinds.toSorted()).toEqual([
      'sales_crm deal Nordlicht: 40 licences',
      'sales_crm organization Nordlicht Energie',
      'signing document Nordlicht NDA',
      'suite_crm organization Nordlicht Energie',
      'tracker issue Nordlicht cannot sign in',
      'vault note Nordlicht',
    ]);
    const of = (service: string) => hits.find((one) => one.service === service);
    expect(of('vault')).toMatchObject({ id: 'Customers/Nordlicht.md', link: 'vault://Customers/Nordlicht.md' });
    expect(of('tracker')?.id).toMatch(/^ENG-\d+$/);
    expect(of('tracker')?.link).toMatch(/^https?:/);
    expect(of('tracker')?.time).toMatch(/^\d{4}-/);
    expect(hits.find(({ kind }) => kind === 'deal')?.state).toContain('12000 EUR');
  });

  it('puts the record of that name first, and obeys its limit (WORK-004)', async () => {
    const { hits } = await search({ query: 'nordlicht energie', limit: 2 });
    expect(hits.map(({ title }) => title)).toEqual(['Nordlicht Energie', 'Nordlicht Energie']);
  });

  it('searches the services that it is given, and those that the client chose (WORK-006)', async () => {
    expect((await search({ query: 'Nordlicht', services: ['vault'] })).searched).toEqual(['vault']);
    expect((await search({ query: 'Nordlicht' }, '?services=tracker,vault')).searched).toEqual(['tracker', 'vault']);
    const refused = await search({ query: 'Nordlicht', services: ['vault', 'signing'] }, '?services=tracker,vault');
    expect(refused.unanswered).toMatchObject([{ service: 'signing', reason: 'forbidden' }]);
    expect(refused.hits.map(({ service }) => service)).toEqual(['vault']);
  });

  it.each(['answers garbage', 'answers a web page', 'refuses connections'] as const)(
    'names a service that %s, and answers the others (WORK-003)',
    async (mood) => {
      await services.fronts.signing.be(mood);
      const { hits, unanswered: failures } = await search({ query: 'Nordlicht' });
      expect(failures.map(({ service }) => service)).toEqual(['signing']);
      expect(new Set(hits.map(({ service }) => service))).toEqual(
        new Set(['sales_crm', 'suite_crm', 'tracker', 'vault']),
      );
    },
  );

  it('does not wait for a service that hangs, and fails if none answers (WORK-003)', async () => {
    await services.fronts.tracker.be('hangs');
    const slow = await search({ query: 'Nordlicht', services: ['tracker', 'vault'] });
    expect(slow.unanswered).toMatchObject([{ service: 'tracker', reason: 'unavailable' }]);
    expect(slow.hits.map(({ service }) => service)).toEqual(['vault']);
    await services.fronts.signing.be('answers garbage');
    const { isError, structuredContent } = await call('workspace_search', { query: 'x', services: ['signing'] });
    expect([isError, structuredContent['reason']]).toEqual([true, 'unavailable']);
  });
});

describe('workspace_brief', () => {
  it('names the services that did not answer, beside what the others know (WORK-017)', async () => {
    await services.fronts.signing.be('answers garbage');
    await services.fronts.tracker.be('refuses connections');
    const { isError, content } = await answered('workspace_brief', { about: 'Nordlicht Energie' });
    const [{ text }] = content;
    expect(isError ?? false).toBe(false);
    const [known = '', silent = ''] = text.split('## Not answered');
    expect(known).toMatch(/Nordlicht: 40 licences: .*\[sales_crm deal \d+\]/);
    expect(known).toMatch(/\[suite_crm organization \d+\]/);
    expect(silent).toContain('- signing: ');
    expect(silent).toContain('- tracker: ');
  });
});

describe('workspace_bulk', () => {
  it('runs one tool for each item in order, and tells what was refused and why (WORK-007, WORK-008)', async () => {
    const items = ['one', 'two', null, 'four'].map((name) =>
      name === null ? { nonsense: 1 } : { path: `Bulk/${name}.md`, content: name },
    );
    const { done, refused, not_tried: left } = await many('vault_note_write', items);
    expect([done.map(({ item, id }) => [item, id]), left]).toEqual([
      [
        [1, 'Bulk/one.md'],
        [2, 'Bulk/two.md'],
        [4, 'Bulk/four.md'],
      ],
      [],
    ]);
    expect(refused).toMatchObject([{ item: 3, reason: 'invalid_input' }]);
    expect(await made('vault_vault_list', { dir_path: 'Bulk' })).toEqual({ files: ['four.md', 'one.md', 'two.md'] });
    const read = await many('vault.notes.read_part', [{ path: 'Bulk/one.md' }, { path: 'Bulk/two.md' }]);
    expect(read.done.map(({ answer }) => answer)).toEqual(['one', 'two']);
  });

  it('writes one activity entry for each call (WORK-007)', async () => {
    await many('vault_tags_add', [
      { path: 'Bulk/one.md', tags: ['a'] },
      { path: 'Bulk/two.md', tags: ['a'] },
    ]);
    const person = await SignedIn.to(server.origin, ada);
    const entries = z.object({ data: z.array(z.looseObject({ operation: z.string() })) });
    await expect
      .poll(async () => {
        const { data: all } = entries.parse(await person.call('GET', '/api/activity?service=vault'));
        return all.filter(({ operation }) => operation === 'tags.add').length;
      })
      .toBe(2);
  });

  it('stops after five failures with the same reason (WORK-009)', async () => {
    const items = Array.from({ length: 8 }, (_, index) => ({ path: `Bulk/none-${index}.md` }));
    const { refused, not_tried: left, stopped } = await many('vault_note_read', [{ path: 'Bulk/one.md' }, ...items]);
    expect(refused.map(({ item, reason }) => [item, reason])).toEqual(
      [2, 3, 4, 5, 6].map((item) => [item, 'not_found']),
    );
    expect([left, stopped]).toEqual([[7, 8, 9], '5 calls in a row failed with not_found.']);
  });

  it.each([
    ['workspace_bulk', [{ operation: 'vault_note_read', items: [{ path: 'a.md' }] }]],
    ['workspace_search', [{ query: 'a' }]],
    ['search_tools', [{}]],
    ['constructor', [{}]],
    ['__proto__', [{}]],
    ['signing_document_download', [{ id: 'a' }]],
    ['tracker.issues.delete', [{ id: 'ENG-1' }]],
    ['sales_crm.webhooks.list', [{}]],
    ['vault_note_rea', [{}]],
  ])('does not run %s (WORK-012)', async (operation, items) => {
    const { isError, structuredContent } = await call('workspace_bulk', { operation, items });
    expect([isError, structuredContent['reason']]).toEqual([true, 'invalid_input']);
  });

  it('takes 1 to 50 items (WORK-007)', async () => {
    const of = async (count: number) => {
      const items = Array.from({ length: count }, () => ({ path: 'Bulk/one.md' }));
      return (await call('workspace_bulk', { operation: 'vault_note_read', items })).isError ?? false;
    };
    expect([await of(0), await of(1), await of(50), await of(51)]).toEqual([true, false, false, true]);
  });

  it('passes each item to the validation of the tool (WORK-006)', async () => {
    const { refused } = await many('vault_note_read', [{ constructor: 1, path: 'a.md' }, 'Bulk/one.md', [1], 5]);
    expect(refused.map(({ reason }) => reason)).toEqual(Array.from({ length: 4 }, () => 'invalid_input'));
    const hostile = JSON.parse('{"operation":"vault_note_read","items":[{"path":"Bulk/one.md","__proto__":{"x":1}}]}');
    expect((await call('workspace_bulk', hostile)).structuredContent['reason']).toBe('invalid_input');
  });
});
