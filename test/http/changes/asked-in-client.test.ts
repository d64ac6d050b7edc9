import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

// What a client's user is asked before a call, over the whole app, with the SDK's own client and both transports.

let world: UndoApp;
let app: string;
let careful: string;

beforeAll(async () => {
  world = await UndoApp.start();
  app = await world.app({ name: 'Scribe' });
  careful = await world.app({ name: 'Careful', ask: 'lose' });
});
afterAll(() => world.stop());

const transports = {
  'Streamable HTTP': StreamableHTTPClientTransport,
  'HTTP with SSE': SSEClientTransport,
} as const;
const paths = { 'Streamable HTTP': '/message', 'HTTP with SSE': '/sse' } as const;

const clients: Client[] = [];
let asked: ElicitRequest['params'][];
beforeEach(() => {
  asked = [];
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

type Answer = (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

const resultSchema = z.looseObject({
  isError: z.boolean().default(false),
  structuredContent: z.looseObject({}).default({}),
});

describe.each(['Streamable HTTP', 'HTTP with SSE'] as const)('a client over %s', (name) => {
  const connect = async (token: string, elicitation: Readonly<Record<string, object>>, answer: Answer) => {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answer(params);
    });
    const signedIn = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
    await client.connect(new transports[name](new URL(paths[name], world.server.origin), signedIn));
    clients.push(client);
    return async (tool: string, args: Readonly<Record<string, unknown>>) =>
      resultSchema.parse(await client.callTool({ name: tool, arguments: args }));
  };
  const agree: Answer = () => ({ action: 'accept', content: { confirm: true } });
  const madeDeal = async (title: string) =>
    z.looseObject({ id: z.number() }).parse(await world.made(app, 'sales_crm_deal_create', { title, value: 900 })).id;
  const isDeleted = async (id: number) => (await world.made(app, 'sales_crm_deal_get', { id }))['is_deleted'] ?? false;

  it('is asked with the record by name and what changes, invisible characters as escapes (ASK-024)', async () => {
    const id = await madeDeal('Har\u202Ebour crane');
    const call = await connect(app, {}, agree);
    expect(await call('sales_crm_deal_update', { id, is_deleted: true, value: 1_200 })).toMatchObject({
      isError: false,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toContain(`“Har\\u202ebour crane” (${id})`);
    expect(asked[0]?.message).toContain('900 → 1200');
    expect(asked[0]?.message).not.toContain('\u202E');
    expect(await isDeleted(id)).toBe(true);
  });

  it('is asked with the lines of a note that are lost, and changes nothing when they say no (ASK-024)', async () => {
    const path = `Asked/${name}.md`;
    await world.made(app, 'vault_note_write', { path, content: '# Plan\n\nCall Ann\n' });
    const call = await connect(app, { form: {} }, () => ({ action: 'decline' }));
    const refused = await call('vault_note_write', { path, content: 'Nothing', mode: 'overwrite' });
    expect(refused).toMatchObject({ isError: true, structuredContent: { reason: 'declined' } });
    const message = asked[0]?.message ?? '';
    for (const part of [`“${path}”: changed`, '- Call Ann', '+ Nothing']) expect(message).toContain(part);
    const read = await connect(app, {}, agree);
    expect(JSON.stringify(await read('vault_note_read', { path }))).toContain('Call Ann');
  });

  it('is asked again about what was changed meanwhile (ASK-024)', async () => {
    const id = await madeDeal('Quay wall');
    const call = await connect(app, {}, async () => {
      if (asked.length === 1) await world.made(careful, 'sales_crm_deal_update', { id, value: 5_000 });
      return { action: 'accept', content: { confirm: true } };
    });
    expect(await call('sales_crm_deal_update', { id, is_deleted: true, value: 1_200 })).toMatchObject({
      isError: false,
    });
    expect(asked.map(({ message }) => /\d+ → 1200/.exec(message)?.[0])).toEqual(['900 → 1200', '5000 → 1200']);
  });

  it('is asked which record an ambiguous name means, by their names (TOOL-023)', async () => {
    const called = `Anna ${name.split(' ')[0]}`;
    const made = async (email: string) =>
      z
        .looseObject({ id: z.number() })
        .parse(
          await world.made(app, 'sales_crm_person_create', { name: called, emails: [{ value: email, primary: true }] }),
        ).id;
    await made('anna@one.example');
    const second = await made('anna@two.example');
    const choices: { enum?: string[]; enumNames?: string[] }[] = [];
    const call = await connect(app, {}, (params) => {
      const { properties } = z
        .looseObject({
          properties: z.object({ meant: z.looseObject({ enum: z.array(z.string()), enumNames: z.array(z.string()) }) }),
        })
        .parse('requestedSchema' in params ? params.requestedSchema : {});
      choices.push(properties.meant);
      const place = properties.meant.enumNames.findIndex((one) => one.includes('anna@two.example'));
      return { action: 'accept', content: { meant: properties.meant.enum[place] ?? '' } };
    });
    const created = await call('sales_crm_deal_create', { title: 'Pontoon', person: called });
    expect(created).toMatchObject({ isError: false, structuredContent: { person_id: second } });
    expect(choices[0]?.enumNames).toEqual([expect.stringContaining(called), expect.stringContaining(called)]);
    asked = [];
    const unasked = await world.call(app, 'sales_crm_deal_create', { title: 'Pontoon', person: called });
    expect([unasked.isError, unasked.data['reason']]).toEqual([true, 'invalid_input']);
  });

  it('is asked with all records of many calls by name, once (ASK-024)', async () => {
    const ids = [await madeDeal('First berth'), await madeDeal('Second berth')];
    const call = await connect(app, {}, agree);
    const items = ids.map((id) => ({ id, is_deleted: true }));
    const { structuredContent } = await call('workspace_bulk', { operation: 'sales_crm_deal_update', items });
    expect(structuredContent).toMatchObject({ done: [{ item: 1 }, { item: 2 }], refused: [] });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toMatch(/1\. “First berth”[\s\S]*2\. “Second berth”/);
  });

  it('is given the page where a person decides, and has the outcome once they did (ASK-025)', async () => {
    const id = await madeDeal('Slipway');
    const call = await connect(careful, { url: {} }, async (params) => {
      if (params.mode !== 'url') throw new Error('No address');
      expect(new URL(params.url).pathname).toMatch(/^\/approvals\/[\w-]{20,}$/);
      const decision = ['POST', `/api/approvals/${params.elicitationId}`, { decision: 'allow' }] as const;
      expect((await sendJson(world.server, world.browser, decision)).status).toBe(200);
      return { action: 'accept' };
    });
    const { isError, structuredContent } = await call('sales_crm_deal_update', { id, is_deleted: true });
    expect([isError, structuredContent['reason']]).toEqual([false, undefined]);
    expect(asked.map(({ mode }) => mode)).toEqual(['url']);
    expect(await isDeleted(id)).toBe(true);
  });

  it('decides nothing by its answer, and is asked no question of its own where the user has chosen (ASK-025)', async () => {
    const id = await madeDeal('Boathouse');
    const call = await connect(careful, { url: {}, form: {} }, () => ({
      action: 'decline',
      content: { confirm: true },
    }));
    const required = await call('sales_crm_deal_update', { id, is_deleted: true });
    expect(required).toMatchObject({ isError: true, structuredContent: { reason: 'approval_required' } });
    expect(asked.map(({ mode }) => mode)).toEqual(['url']);
    expect(await isDeleted(id)).toBe(false);
  });

  it('is asked nothing before what the user lets the app do (ASK-024)', async () => {
    const free = await world.app({ name: 'Free', ask: 'never' });
    const id = await madeDeal('Jetty');
    const call = await connect(free, {}, () => ({ action: 'decline' }));
    expect(await call('sales_crm_deal_update', { id, is_deleted: true })).toMatchObject({ isError: false });
    expect(asked).toEqual([]);
  });
});
