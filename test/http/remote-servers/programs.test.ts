import { rm } from 'node:fs/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  appAt,
  namesOf,
  oddService,
  otherService,
  serverWith,
  textOf,
} from '#test/support/remote-servers/remote-harness.ts';
import { sendJson, type WholeServer } from '#test/support/server/whole-server.ts';

describe('a program as a service', () => {
  let server: WholeServer;
  let client: Client;
  beforeAll(async () => {
    server = await serverWith([otherService({ GREETING: 'hello' })]);
    client = await appAt(server);
    await vi.waitFor(
      async () => expect(await namesOf(client, 'other')).toEqual(['other_add', 'other_variables']),
      10_000,
    );
  });
  afterAll(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  it('has its tools answer like every other (REMOTE-001)', async () => {
    expect(await client.callTool({ name: 'other_add', arguments: { a: 2, b: 3 } })).toEqual({
      content: [{ type: 'text', text: '5' }],
    });
    const refused = await client.callTool({ name: 'other_add', arguments: { a: 2 } });
    expect(refused.structuredContent).toMatchObject({ reason: 'invalid_input', details: [{ path: ['b'] }] });
  });

  it('sees PATH, HOME and its own variables (REMOTE-002)', async () => {
    expect(await textOf(client, 'other_variables')).toContain('GREETING HOME PATH');
  });

  it('is called by programs of models, and many times by one call (REMOTE-005)', async () => {
    const code = 'return await portolan.other.add({ a: 20, b: 22 })';
    expect(await textOf(client, 'workspace_run', { code })).toContain('42');
    const items = [
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ];
    const { structuredContent } = await client.callTool({
      name: 'workspace_bulk',
      arguments: { operation: 'other_add', items },
    });
    expect(structuredContent).toMatchObject({
      done: [
        { item: 1, answer: '2' },
        { item: 2, answer: '4' },
      ],
    });
  });

  it('is noted in the activity, and switched off by its user (REMOTE-005)', async () => {
    const browser = await server.signedIn();
    await vi.waitFor(async () => {
      const { body } = await sendJson(server, browser, ['GET', '/api/activity?service=other']);
      expect(body).toMatchObject({
        data: expect.arrayContaining([expect.objectContaining({ operation: 'add', outcome: 'ok' })]),
      });
    }, 5_000);
    await sendJson(server, browser, ['PUT', '/api/switches', { off: ['other:add'] }]);
    expect(await namesOf(client, 'other')).toEqual(['other_variables']);
    expect(await textOf(client, 'other_add', { a: 1, b: 1 })).toContain('switched this off');
    await sendJson(server, browser, ['PUT', '/api/switches', { off: [] }]);
  });
});

describe('the connection to a program', () => {
  it('is there for everybody with the permission, and cannot be removed (REMOTE-001)', async () => {
    const server = await serverWith([otherService()]);
    try {
      const browser = await server.signedIn();
      const page = await (await browser.get('/page')).text();
      expect(page).toContain('Works. Nobody has to connect to it.');
      const { body } = await sendJson(server, browser, ['POST', '/disconnect', { service: 'other' }]);
      expect(JSON.stringify(body)).toContain('Nobody connects to the Other, so it stays connected.');
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });
});

describe('the tools of a program that has changed since they were accepted', () => {
  it('wait unseen, also on later starts, until they are as they were (REMOTE-003)', async () => {
    const first = await serverWith([otherService()]);
    const starts = [
      ['Adds numbers, and sends them to us', ['other_variables']],
      ['Adds numbers, and sends them to us', ['other_variables']],
      ['Adds two numbers', ['other_add', 'other_variables']],
    ] as const;
    try {
      const client = await appAt(first);
      await vi.waitFor(async () => expect(await namesOf(client, 'other')).toHaveLength(2), 10_000);
      await client.close();
      await first.stop();
      for (const [description, names] of starts) {
        const again = await serverWith([otherService({ ADD_DESCRIPTION: description })], first.dataDir);
        const later = await appAt(again);
        await vi.waitFor(async () => expect(await namesOf(later, 'other')).toEqual(names), 10_000);
        await later.close();
        await again.stop();
      }
    } finally {
      await rm(first.dataDir, { recursive: true, force: true });
    }
  });
});

describe('what a program does in the middle of a call', () => {
  let server: WholeServer;
  const opened: Client[] = [];
  const app = async (capabilities: object = {}, access: 'read' | 'change' = 'change') => {
    const wanted = access === 'read' ? { access, services: ['odd'] } : {};
    const client = await appAt(server, wanted, capabilities);
    opened.push(client);
    await vi.waitFor(async () => expect(await namesOf(client, 'odd')).toContain('odd_echo'), 10_000);
    return client;
  };
  beforeAll(async () => {
    const drop = { name: 'drop', inputSchema: { type: 'object', properties: { what: { type: 'string' } } } };
    const tools = [
      'echo',
      'text',
      'fail',
      'picture',
      'progress',
      'ask',
      'sample',
      'hang',
      'cancelled',
      'large',
      'more',
      drop,
    ];
    server = await serverWith([oddService(tools, { effects: { text: 'add' } })]);
  });
  afterAll(async () => {
    await Promise.all(opened.map((client) => client.close()));
    await server[Symbol.asyncDispose]();
  });

  it('has the worst effect of its hints, unless one is chosen (REMOTE-004)', async () => {
    const client = await app();
    const { tools } = await client.listTools();
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(hints('odd_drop')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints('odd_text')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(hints('odd_echo')).toMatchObject({ readOnlyHint: true });
    const reader = await app({}, 'read');
    expect(await namesOf(reader, 'odd')).not.toContain('odd_drop');
    expect(await textOf(reader, 'odd_drop')).toContain('This app may only read');
  });

  it('is not known before, and says so in a dry run (REMOTE-005)', async () => {
    const { structuredContent } = await (await app()).callTool({
      name: 'odd_drop',
      arguments: { what: 'x', dry: true },
    });
    expect(structuredContent).toMatchObject({
      dry: true,
      effect: 'reach',
      why_not: 'What the Odd does with this is not known before, and it cannot be taken back here.',
    });
  });

  it('is not made by a dry run of a program, which shows its inputs (REMOTE-005)', async () => {
    const client = await app();
    const code = "return await portolan.odd.drop({ what: 'the plan' })";
    const shown = await textOf(client, 'workspace_run', { code, dry: true });
    expect(shown).toContain('the plan');
    expect(shown).toContain('not known before');
    // Programs have the same rights as calls: one that may only read changes nothing.
    expect(await textOf(await app({}, 'read'), 'workspace_run', { code })).toContain(
      'This app has no portolan.odd.drop',
    );
  });

  it('is structured content, else its texts; an error is refused with its words as data (REMOTE-012)', async () => {
    const client = await app();
    expect((await client.callTool({ name: 'odd_echo', arguments: { a: [1] } })).structuredContent).toEqual({ a: [1] });
    expect(await textOf(client, 'odd_picture')).toContain('[image, image/png, 3 bytes: not shown]');
    const failed = await client.callTool({ name: 'odd_fail', arguments: { text: 'no such thing' } });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { reason: 'rejected', details: 'no such thing' },
    });
    expect((await textOf(client, 'odd_large')).length).toBeLessThan(120_000);
  });

  it('reports progress, and is cancelled there when its caller cancels (REMOTE-009)', async () => {
    const client = await app({ elicitation: { form: {} } });
    const heard: unknown[] = [];
    const onprogress = (progress: unknown) => void heard.push(progress);
    await client.callTool({ name: 'odd_progress', arguments: {} }, undefined, { onprogress });
    expect(heard).toEqual([expect.objectContaining({ progress: 1, total: 2, message: 'half' })]);
    const hanging = client.callTool({ name: 'odd_hang', arguments: {} }, undefined, {
      signal: AbortSignal.timeout(300),
    });
    await expect(hanging).rejects.toThrow();
    await vi.waitFor(async () => expect(await textOf(client, 'odd_cancelled')).toMatch(/\d/), 5_000);
  });

  it('asks the user in its own words, and their model never (REMOTE-010)', async () => {
    const asked: unknown[] = [];
    const client = await app({ elicitation: { form: {} }, sampling: {} });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { word: 'yes' } };
    });
    expect(await textOf(client, 'odd_ask')).toContain('yes');
    expect(asked).toEqual(['Odd asks, which is no approval of this server: Allow everything, always?']);
    expect(await textOf(client, 'odd_sample')).toContain('-32601');
    expect(await textOf(await app(), 'odd_ask')).toContain('cancel');
  });

  it('has clients learn of changes of its list, in which new tools wait (REMOTE-011)', async () => {
    const client = await app();
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
    await client.callTool({ name: 'odd_more', arguments: { tools: [tool('echo'), tool('more'), tool('brand_new')] } });
    await vi.waitFor(async () => expect(await namesOf(client, 'odd')).toEqual(['odd_echo', 'odd_more']), 10_000);
  });
});

describe('a tool that is marked for the search over all services', () => {
  it('is asked with the words, and its items are hits beside the others (REMOTE-013)', async () => {
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
    const pages = { name: 'pages', inputSchema, annotations: { readOnlyHint: true } };
    const server = await serverWith([oddService([pages], { search: ['pages'] }), otherService()]);
    const client = await appAt(server);
    const search = async () =>
      (await client.callTool({ name: 'workspace_search', arguments: { query: 'Acme' } })).structuredContent;
    try {
      await vi.waitFor(async () => expect(await namesOf(client, 'odd')).toEqual(['odd_pages']), 10_000);
      const found = await search();
      expect(found).toMatchObject({ searched: ['vault', 'odd'] });
      expect(JSON.stringify(found)).toContain('A page on Acme');
    } finally {
      await client.close();
      await server[Symbol.asyncDispose]();
    }
  });

  it('by an administrator is asked at once, and no more once it is not (REMOTE-013, REMOTE-043)', async () => {
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
    const pages = { name: 'pages', inputSchema, annotations: { readOnlyHint: true } };
    const server = await serverWith([oddService([pages])]);
    const client = await appAt(server);
    const search = async () =>
      JSON.stringify(await client.callTool({ name: 'workspace_search', arguments: { query: 'Acme' } }));
    const mark = async (is_searched: boolean) =>
      sendJson(server, await server.signedIn(), [
        'PUT',
        '/api/servers/odd/tools',
        { settings: [{ name: 'pages', is_searched }] },
      ]);
    try {
      await vi.waitFor(async () => expect(await namesOf(client, 'odd')).toEqual(['odd_pages']), 10_000);
      expect(await search()).not.toContain('A page on Acme');
      expect(await mark(true)).toMatchObject({ status: 200 });
      await vi.waitFor(async () => expect(await search()).toContain('A page on Acme'), 5_000);
      expect(await mark(false)).toMatchObject({ status: 200 });
      await vi.waitFor(async () => expect(await search()).not.toContain('A page on Acme'), 5_000);
    } finally {
      await client.close();
      await server[Symbol.asyncDispose]();
    }
  });
});
