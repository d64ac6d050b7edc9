import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workPrompts } from '#adapters/mcp/prompts/prompts.ts';
import { recordNames } from '#adapters/mcp/prompts/record-names.ts';
import { connectionResource } from '#adapters/mcp/resources/connection-resource.ts';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import { type McpApp, type McpAppOptions, type people, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import {
  Accounts,
  beginSession,
  type Ear,
  type EarOptions,
  ears,
  everything,
  hearSession,
  listen,
  plain,
} from '#test/support/mcp/mcp-ears.ts';
import { neutralNames, serviceKeys } from '#test/support/services/five-services.ts';

/** How long something may take to come about, however busy the machine is. */
const soon = { timeout: 60_000 };

let app: McpApp;
let accounts: Accounts;
const opened: Ear[] = [];

const notes = vaultResources(fakeCatalog, runOver(new FakeGateway()));
const features = {
  resources: [
    connectionResource(async () => [], { baseUrl: 'http://localhost:3000', names: neutralNames }),
    ...(notes === null ? [] : [notes]),
  ],
  prompts: workPrompts(notes, recordNames(fakeCatalog, runOver(new FakeGateway()))),
};
// Clients are checked only when something is published.
const listening = { gatherMs: 5, lookMs: 3_600_000, usersALook: 50 };

const start = async (options: McpAppOptions = {}) => {
  accounts = new Accounts();
  app = await startMcpApp({ features, connections: accounts, users: accounts, listening, ...options });
};
beforeEach(() => start());
afterEach(async () => {
  for (const ear of opened.splice(0)) await ear.close();
  await app.close();
});

/** An open ear whose user has been looked at: from here on every change counts. */
const listener = async (era: string, person: keyof typeof people = 'ann', options: EarOptions = {}): Promise<Ear> => {
  const open = ears[era];
  if (open === undefined) throw new Error(`No era ${era}`);
  const before = accounts.looks;
  const ear = await open(app, person, options);
  opened.push(ear);
  await expect.poll(() => accounts.looks, soon).toBeGreaterThan(before);
  return ear;
};
const connect = (userId: number, ...services: (typeof serviceKeys)[number][]) => {
  accounts.connections.set(userId, new Set(services));
  app.accountChanges.publish({ userId });
};
const changed = (path: string, userId = 1, kind: 'made' | 'changed' | 'gone' = 'changed') =>
  app.noteChanges.publish({ userId, path, kind });
const updated = (uri: string) => ['notifications/resources/updated', { uri }];
const several = async (ear: Ear, count: number) => {
  const heard = [];
  for (let n = 0; n < count; n += 1) heard.push(plain(await ear.next()));
  return heard;
};

describe.each(Object.keys(ears))('a client that listens by %s', (era) => {
  it('hears that its tools changed when its user connects or disconnects a service (MCP-009)', async () => {
    const ear = await listener(era);
    connect(1, 'vault', 'tracker', 'signing', 'suite_crm');
    expect(plain(await ear.next())).toBe('notifications/tools/list_changed');
    connect(1, ...serviceKeys);
    expect(plain(await ear.next())).toBe('notifications/tools/list_changed');
  });

  it('hears that its resources changed, too, if that service is the vault, and the status of its connections if it watches them', async () => {
    const ear = await listener(era, 'ann', { uris: ['portolan://connections'] });
    connect(1, 'tracker');
    expect(await several(ear, 3)).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      updated('portolan://connections'),
    ]);
  });

  it('hears of tools and prompts when its user gains or loses permissions (MCP-009)', async () => {
    const ear = await listener(era, 'bob');
    accounts.change('bob', { permissions: ['vault', 'signing'] });
    app.accountChanges.publish({ userId: 2 });
    expect(await several(ear, 2)).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed']);
  });

  it('hears nothing if none of its lists changed, or of services that it did not choose', async () => {
    const ear = await listener(era, 'ann', { query: '?services=tracker' });
    app.accountChanges.publish({ userId: 1 });
    connect(1, 'tracker', 'vault', 'signing', 'suite_crm');
    connect(1, 'vault', 'signing', 'suite_crm');
    expect(plain(await ear.next())).toBe('notifications/tools/list_changed');
    connect(1, 'tracker', 'vault', 'signing', 'suite_crm');
    expect(plain(await ear.next())).toBe('notifications/tools/list_changed');
  });

  it('hears of a note that it watches, by the address that it gave, and of no other note', async () => {
    const ear = await listener(era, 'ann', { uris: ['vault://Deals/A b.md', 'vault://c.md'] });
    changed('other.md');
    changed('Deals/A b.md');
    expect(plain(await ear.next())).toEqual(updated('vault://Deals/A b.md'));
    changed('c.md');
    expect(plain(await ear.next())).toEqual(updated('vault://c.md'));
  });

  it('hears once of several writes at the same moment', async () => {
    const ear = await listener(era, 'ann', { uris: ['vault://a.md', 'vault://b.md'] });
    for (const path of ['a.md', 'a.md', 'b.md', 'a.md']) changed(path);
    expect(await several(ear, 2)).toEqual([updated('vault://a.md'), updated('vault://b.md')]);
    changed('b.md');
    expect(plain(await ear.next())).toEqual(updated('vault://b.md'));
  });

  it('hears that its resources changed when a note is created or deleted', async () => {
    const ear = await listener(era, 'ann', { uris: ['vault://a.md'] });
    changed('new.md', 1, 'made');
    expect(plain(await ear.next())).toBe('notifications/resources/list_changed');
    changed('a.md', 1, 'gone');
    expect(await several(ear, 2)).toEqual(['notifications/resources/list_changed', updated('vault://a.md')]);
  });

  it('never hears of what concerns another user', async () => {
    const [ann, bob] = [
      await listener(era, 'ann', { uris: ['vault://a.md'] }),
      await listener(era, 'bob', { uris: ['vault://a.md'] }),
    ];
    changed('a.md', 2);
    expect(plain(await bob.next())).toEqual(updated('vault://a.md'));
    connect(2, 'tracker');
    expect(await several(bob, 2)).toEqual(['notifications/tools/list_changed', 'notifications/resources/list_changed']);
    changed('a.md', 1);
    expect(plain(await ann.next())).toEqual(updated('vault://a.md'));
  });

  it('hears nothing of notes once the permission is revoked', async () => {
    const ear = await listener(era, 'bob', { uris: ['vault://a.md'] });
    accounts.change('bob', { permissions: [] });
    app.accountChanges.publish({ userId: 2 });
    const lists = ['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`);
    expect(await several(ear, 3)).toEqual(lists);
    const before = accounts.looks;
    changed('a.md', 2);
    await expect.poll(() => accounts.looks, soon).toBe(before + 1);
    accounts.change('bob', {});
    app.accountChanges.publish({ userId: 2 });
    expect(await several(ear, 3)).toEqual(lists);
  });

  it('hears of nothing that its access token does not include', async () => {
    const teller = await listener(era, 'teller', { uris: era === 'subscriptions/listen' ? ['vault://a.md'] : [] });
    connect(1, 'tracker', 'signing', 'suite_crm', 'sales_crm');
    changed('made.md', 1, 'made');
    const noter = await listener(era, 'noter', { uris: ['vault://a.md'] });
    connect(1, 'signing', 'suite_crm', 'sales_crm');
    expect(plain(await teller.next())).toBe('notifications/tools/list_changed');
    connect(1, 'vault', 'signing', 'suite_crm', 'sales_crm');
    expect(await several(noter, 2)).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
    ]);
    changed('a.md');
    expect(plain(await noter.next())).toEqual(updated('vault://a.md'));
    connect(1, 'vault', 'tracker', 'signing', 'suite_crm', 'sales_crm');
    expect(plain(await teller.next())).toBe('notifications/tools/list_changed');
  });

  it('hears nothing once its user has signed out everywhere: the connection ends', async () => {
    const ear = await listener(era, 'ann', { uris: ['vault://a.md'] });
    accounts.change('ann', { signedOutBefore: Date.now() + 60_000 });
    changed('a.md');
    const last = await ear.next();
    const isResult = last !== null && 'result' in last;
    expect(isResult).toBe(era === 'subscriptions/listen');
    if (isResult) expect(await ear.next()).toBeNull();
  });

  it('costs nothing once it has disconnected', async () => {
    const ear = await listener(era);
    expect(app.noteChanges.hasListeners).toBe(true);
    await ear.close();
    await expect.poll(() => app.noteChanges.hasListeners, soon).toBe(false);
  });
});

describe("the SDK's own client", () => {
  const signedIn = { requestInit: { headers: { authorization: 'Bearer ann' } } };

  it.each([
    ['Streamable HTTP', () => new StreamableHTTPClientTransport(new URL('/message', app.url), signedIn)],
    ['HTTP with SSE', () => new SSEClientTransport(new URL('/sse', app.url), signedIn)],
  ])('fetches its tools again when they changed, over %s', async (_, transport) => {
    let fetched: (names: readonly string[]) => void = () => {};
    const refetched = new Promise<readonly string[]>((resolve) => {
      fetched = resolve;
    });
    const client = new Client(
      { name: 'test', version: '1' },
      {
        capabilities: { elicitation: {} },
        listChanged: {
          tools: { debounceMs: 0, onChanged: (_fault, tools) => fetched((tools ?? []).map(({ name }) => name)) },
        },
      },
    );
    await client.connect(transport());
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
    await expect.poll(() => accounts.looks, soon).toBeGreaterThan(0);
    connect(1, 'tracker');
    expect(await refetched).toEqual(['tracker_teams_list']);
    await client.close();
  });
});

describe('notifications', () => {
  const initialize = async (headers: Readonly<Record<string, string>> = {}) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const response = await post(app.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, { headers });
    return response.json();
  };

  it('are not promised to a client without a session, which has no connection for them', async () => {
    expect(await initialize()).toMatchObject({
      result: { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} } },
    });
  });

  it('are not sent on a stream whose client has not sent initialize', async () => {
    const response = await fetch(new URL('/sse', app.url), { headers: { authorization: 'Bearer bob' } });
    const before = accounts.looks;
    const other = await listener('HTTP with SSE', 'bob');
    await expect.poll(() => accounts.looks, soon).toBeGreaterThan(before);
    connect(2, 'tracker');
    expect(plain(await other.next())).toBe('notifications/tools/list_changed');
    app.endpoint.close();
    expect(await response.text()).not.toContain('list_changed');
  });
});

describe('a session of Streamable HTTP', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const now = performance.now.bind(performance);
  let passedMs = 0;
  /** Lets time go by for whatever is kept for a while. */
  const pass = (ms: number) => {
    passedMs += ms;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  };

  it('hears on its next stream that lists changed while it had none', async () => {
    const id = await beginSession(app, 'ann');
    const first = await hearSession(app, 'ann', id);
    await expect.poll(() => accounts.looks, soon).toBeGreaterThan(0);
    await first.close();
    await expect.poll(() => app.noteChanges.hasListeners, soon).toBe(false);
    connect(1, 'tracker');
    const second = await hearSession(app, 'ann', id);
    opened.push(second);
    expect(await several(second, 2)).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
    ]);
  });

  it('does not expire while its stream is open, but does when it is closed', async () => {
    await app.close();
    const idleMs = 600_000;
    await start({ sessions: { perUser: 32, all: 100, idleMs } });
    const id = await beginSession(app, 'ann', { uris: ['vault://a.md'] });
    const ear = await hearSession(app, 'ann', id);
    await expect.poll(() => accounts.looks, soon).toBeGreaterThan(0);
    pass(idleMs + 1_000);
    await beginSession(app, 'ann');
    changed('a.md');
    expect(plain(await ear.next())).toEqual(updated('vault://a.md'));
    await ear.close();
    await expect.poll(() => app.noteChanges.hasListeners, soon).toBe(false);
    const ping = () => post(app.url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: { 'mcp-session-id': id } });
    pass(idleMs + 1_000);
    expect((await ping()).status).toBe(404);
  });

  it('hears on its newest stream only', async () => {
    const id = await beginSession(app, 'ann', { uris: ['vault://a.md'] });
    const first = await hearSession(app, 'ann', id);
    const second = await hearSession(app, 'ann', id);
    opened.push(second);
    expect(await first.next()).toBeNull();
    changed('a.md');
    expect(plain(await second.next())).toEqual(updated('vault://a.md'));
  });

  const watch = async (id: string, method: string, uri: unknown) => {
    const body = { jsonrpc: '2.0', id: 1, method: `resources/${method}`, params: { uri } };
    return (await post(app.url, body, { headers: { 'mcp-session-id': id } })).json();
  };

  it('hears nothing of a note that it has stopped watching, in any spelling', async () => {
    const id = await beginSession(app, 'ann', { uris: ['vault://A b.md', 'vault://c.md'] });
    const ear = await hearSession(app, 'ann', id);
    opened.push(ear);
    expect(await watch(id, 'unsubscribe', 'vault://A%20b.md')).toMatchObject({ result: {} });
    changed('A b.md');
    changed('c.md');
    expect(plain(await ear.next())).toEqual(updated('vault://c.md'));
  });

  it.each([
    ['an address of nobody', 'http://example.com/', -32002],
    ['an address that is too long', `vault://${'x'.repeat(3_000)}`, -32602],
    ['no text', 7, -32602],
  ])('may not watch %s', async (_, uri, code) => {
    const id = await beginSession(app, 'ann');
    expect(await watch(id, 'subscribe', uri)).toMatchObject({ error: { code } });
  });

  it('may watch 200 resources, the same one as often as it likes', async () => {
    const id = await beginSession(app, 'ann', { uris: Array.from({ length: 200 }, (_, n) => `vault://${n}.md`) });
    expect(await watch(id, 'subscribe', 'vault://0.md')).toMatchObject({ result: {} });
    expect(await watch(id, 'subscribe', 'vault://another.md')).toMatchObject({ error: { code: -32600 } });
  });
});

describe('subscriptions/listen', () => {
  const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
  const first = async (response: Response) => {
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return JSON.parse(/^data: (.*)$/m.exec(Buffer.from(value ?? []).toString())?.[1] ?? 'null');
  };

  it('is acknowledged first, with the part of the request that will be notified, under the id of the request', async () => {
    const uris = ['vault://a.md', 'http://example.com/'];
    const asked = { toolsListChanged: true, resourcesListChanged: false, resourceSubscriptions: uris, more: true };
    const response = await listen(app, 'ann', asked);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await first(response)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        _meta: { [subscriptionId]: 'ear-1' },
        notifications: { toolsListChanged: true, resourceSubscriptions: ['vault://a.md'] },
      },
    });
  });

  it('leaves out lists that this server does not have', async () => {
    await app.close();
    await start({ features: {} });
    const { params } = await first(await listen(app, 'ann', everything(['vault://a.md'])));
    expect(params.notifications).toEqual({ toolsListChanged: true });
  });

  it('sends what was requested and nothing else, each time under its id', async () => {
    const response = await listen(app, 'ann', { promptsListChanged: true, resourceSubscriptions: ['vault://a.md'] });
    const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await events?.read();
    await expect.poll(() => accounts.looks, soon).toBeGreaterThan(0);
    connect(1, 'vault');
    changed('made.md', 1, 'made');
    changed('a.md');
    const { value } = (await events?.read()) ?? {};
    expect(JSON.parse(/^data: (.*)$/m.exec(value ?? '')?.[1] ?? 'null')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { _meta: { [subscriptionId]: 'ear-1' }, uri: 'vault://a.md' },
    });
    await events?.cancel();
  });

  it('is answered at once if there can never be a notification', async () => {
    const events = (await (await listen(app, 'ann', {})).text()).trim().split('\n\n');
    const [acknowledged, result] = events.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, '')));
    expect(acknowledged.params.notifications).toEqual({});
    expect(result).toMatchObject({ id: 'ear-1', result: { resultType: 'complete' } });
  });

  it('ends with a result when the server stops, and is refused from then on', async () => {
    const ear = await listener('subscriptions/listen');
    app.endpoint.close();
    expect(await ear.next()).toEqual({
      jsonrpc: '2.0',
      id: 'ear-1',
      result: {
        resultType: 'complete',
        _meta: {
          'io.modelcontextprotocol/serverInfo': { name: 'portolan', title: 'Portolan', version: '1.2.3' },
          [subscriptionId]: 'ear-1',
        },
      },
    });
    expect(await ear.next()).toBeNull();
    const refused = await listen(app, 'ann', everything());
    expect(await refused.json()).toMatchObject({ error: { code: -32000 } });
  });

  it.each([
    ['no filter', undefined],
    ['a filter that is no object', ['tools']],
    ['something that is neither true nor false', { toolsListChanged: 'yes' }],
    ['addresses that are no list', { resourceSubscriptions: 'vault://a.md' }],
    ['an address that is no text', { resourceSubscriptions: [7] }],
    ['an address that is too long', { resourceSubscriptions: [`vault://${'x'.repeat(3_000)}`] }],
    ['201 addresses', { resourceSubscriptions: Array.from({ length: 201 }, (_, n) => `vault://${n}.md`) }],
  ])('refuses %s with -32602', async (_, notifications) => {
    const response = await listen(app, 'ann', notifications);
    expect(await response.json()).toMatchObject({ id: 'ear-1', error: { code: -32602 } });
  });

  it('requires a client that accepts events', async () => {
    const response = await listen(app, 'ann', everything(), { accept: 'application/json' });
    expect(await response.json()).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('text/event-stream') },
    });
  });

  it('is limited for each user, and for all', async () => {
    await app.close();
    await start({ subscriptions: { perUser: 2, all: 3 } });
    const ask = async (person: string) => listen(app, person, everything());
    const [one] = [await ask('ann'), await ask('ann')];
    expect(await (await ask('ann')).json()).toMatchObject({ error: { message: expect.stringContaining('2') } });
    expect((await ask('bob')).headers.get('content-type')).toBe('text/event-stream');
    expect(await (await ask('bob')).json()).toMatchObject({ error: { code: -32000 } });
    await one?.body?.cancel();
    await expect.poll(async () => (await ask('ann')).headers.get('content-type'), soon).toBe('text/event-stream');
  });

  it('counts as a message of its user', async () => {
    await app.close();
    await start({ limit: { burst: 1, perSecond: 0.001 } });
    const response = await listen(app, 'ann', everything());
    expect(response.status).toBe(200);
    await response.body?.cancel();
    expect((await listen(app, 'ann', everything())).status).toBe(429);
  });

  it('sends comments on its stream, so that proxies keep it open (MCP-013)', async () => {
    await app.close();
    await start({ streams: { heartbeatMs: 16 } });
    const response = await listen(app, 'ann', everything());
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (/(: still here\n\n){2}/.test(text)) break;
    }
    expect(text).toMatch(/^event: message\ndata: .*acknowledged/);
  });

  it('is unknown to clients of the older eras', async () => {
    const response = await post(app.url, { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} });
    expect(await response.json()).toMatchObject({ error: { code: -32601 } });
  });
});
