import { decided } from '#test/kit/browser.ts';
import {
  contains,
  equal,
  eventually,
  holds,
  lacks,
  listAt,
  matches,
  member,
  Skipped,
  status,
  textAt,
} from '#test/kit/checks.ts';
import { type Clause, contract, portolan, type ServiceKey } from '#test/kit/clause.ts';
import { connectByOAuth, disconnect } from '#test/kit/connections.ts';
import { authorizePath, type Kit, locationOf } from '#test/kit/kit.ts';
import { initialization, McpClient, messageOf, revision } from '#test/kit/mcp.ts';
import { openStream } from '#test/kit/streams.ts';
import type { Answer } from '#test/kit/wire.ts';

/** The planned tools of each service, copied from the interface. */
const planned: Readonly<Record<ServiceKey, readonly string[]>> = {
  sales_crm:
    'deals_list deal_get deal_create deal_update persons_list person_get person_create person_update orgs_list org_get org_create activities_list activity_create search pipelines_list leads_list lead_create goals_list'
      .split(' ')
      .map((name) => `sales_crm_${name}`),
  signing:
    'documents_list document_get document_create document_send document_status document_download templates_list template_get document_details'
      .split(' ')
      .map((name) => `signing_${name}`),
  suite_crm:
    'record_list record_get record_create record_update record_delete search coql_query lead_convert note_create notes_list tag_add tag_remove modules_list fields_list users_list'
      .split(' ')
      .map((name) => `suite_${name}`),
  tracker:
    'viewer teams_list team_get issues_list issue_get issue_create issue_update issue_archive comments_list comment_create projects_list project_get project_create project_update cycles_list cycle_get cycle_create initiatives_list initiative_get labels_list label_create documents_list document_create document_update workflow_states_list users_list'
      .split(' ')
      .map((name) => `tracker_${name}`),
  vault:
    'note_read note_write note_patch note_delete vault_list search search_advanced periodic_read periodic_write commands_list command_run frontmatter_get frontmatter_set tags_list tags_add tags_remove'
      .split(' ')
      .map((name) => `vault_${name}`),
};

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const id = '9cfb482a-81e3-4154-b5b9-2c805e70a02d';

const codeOf = (message: unknown): unknown => member(message, 'error', 'code');

/** Posts text to `/message` with the shared token. */
async function posted(kit: Kit, body: string): Promise<Answer> {
  const headers = { ...json, authorization: `Bearer ${await kit.token()}`, 'mcp-protocol-version': revision };
  return kit.send({ method: 'POST', path: '/message', headers, body });
}

/** A token that was given some services only, and reading only where it says so. */
async function narrowed(kit: Kit, services: readonly ServiceKey[], access: 'read' | 'change'): Promise<string> {
  const browser = await kit.signedIn();
  const client = await kit.client();
  const fields = decided(await browser.get(authorizePath(client)), 'allow')
    .filter(([name, value]) => name !== 'services' || services.some((service) => service === value))
    .map(([name, value]) => [name, name === 'access' ? access : value] as const);
  const code = locationOf(await browser.post('/authorize', fields)).searchParams.get('code') ?? '';
  return kit.exchanged({ code, client, verifier: null });
}

const namesOf = async (client: McpClient): Promise<readonly string[]> => (await client.tools()).map(({ name }) => name);

export const mcp: readonly Clause[] = [
  contract('MCP-001/session', 'POST /message without a session is 401', async (kit) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialization(revision) });
    status(await kit.send({ method: 'POST', path: '/message', headers: json, body }), 401);
  }),
  contract(
    'MCP-001',
    'POST /message answers JSON-RPC',
    async (kit) => {
      const answer = await posted(
        kit,
        JSON.stringify({ jsonrpc: '2.0', id: 'kit', method: 'initialize', params: initialization(revision) }),
      );
      status(answer, 200);
      const message = messageOf(answer);
      equal([member(message, 'jsonrpc'), member(message, 'id')], ['2.0', 'kit'], 'jsonrpc and id');
      textAt(message, 'result', 'serverInfo', 'name');
    },
    ['login'],
  ),
  ...(Object.keys(planned) as ServiceKey[]).map((service) =>
    contract(
      `TOOL-001/${service}`,
      `the planned tools of ${service} are there under their names`,
      async (kit) => {
        const names = new Set(await namesOf(await kit.mcp()));
        equal(
          planned[service].filter((name) => !names.has(name)),
          [],
          'the tools that are missing:',
        );
      },
      ['login', `service:${service}`],
    ),
  ),
  contract(
    'TOOL-002',
    'no tool deletes permanently in the tracker',
    async (kit) => {
      const names = (await namesOf(await kit.mcp())).filter((name) => name.startsWith('tracker_'));
      holds(names.includes('tracker_issue_archive'), 'the tool tracker_issue_archive', names);
      equal(
        names.filter((name) => /delete|destroy|purge/.test(name)),
        [],
        'the tools that delete:',
      );
    },
    ['login', 'service:tracker'],
  ),
  contract(
    'TOOL-002/archive',
    'tracker_issue_archive archives, and does not delete',
    async (kit) => {
      const client = await kit.mcp();
      const { received } = await kit.arriving('tracker', () => client.call('tracker_issue_archive', { id }));
      holds(
        received.some(({ text }) => text.includes('issueArchive')),
        'issueArchive',
        received.length,
      );
      holds(!received.some(({ text }) => text.includes('issueDelete')), 'no issueDelete', received.length);
    },
    ['login', 'service:tracker'],
  ),
  portolan(
    'TOOL-003',
    'each tool has a title, a description, an input schema and hints',
    async (kit) => {
      for (const { name, tool } of await (await kit.mcp()).tools()) {
        holds(textAt(tool, 'description').length > 10, `a description of ${name}`, tool);
        equal(member(tool, 'inputSchema', 'type'), 'object', `the input schema of ${name}`);
        const title = member(tool, 'title') ?? member(tool, 'annotations', 'title');
        holds(typeof title === 'string' && title !== '', `a title of ${name}`, tool);
        holds(typeof member(tool, 'annotations', 'readOnlyHint') === 'boolean', `hints of ${name}`, tool);
      }
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'TOOL-003/effect',
    'the hints fit the effect: what lists reads, what deletes destroys',
    async (kit) => {
      const tools = new Map(
        (await (await kit.mcp()).tools()).map(({ name, tool }) => [name, member(tool, 'annotations')]),
      );
      equal(member(tools.get('sales_crm_deals_list'), 'readOnlyHint'), true, 'readOnlyHint of sales_crm_deals_list');
      equal(member(tools.get('sales_crm_deal_create'), 'readOnlyHint'), false, 'readOnlyHint of sales_crm_deal_create');
      equal(
        member(tools.get('suite_record_delete'), 'destructiveHint'),
        true,
        'destructiveHint of suite_record_delete',
      );
    },
    ['login', 'service:sales_crm', 'service:suite_crm'],
  ),
  portolan(
    'TOOL-004',
    'an argument that is not known is refused with its name and the nearest known one, and nothing is sent',
    async (kit) => {
      const client = await kit.mcp();
      const { value, received } = await kit.arriving('sales_crm', () =>
        client.call('sales_crm_deal_create', { titel: 'x' }),
      );
      equal(value.isError, true, 'an error:');
      for (const part of ['titel', 'title']) contains(value.text, part, 'the answer');
      equal(received.length, 0, 'the number of requests');
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'TOOL-005',
    'the answer of a failed call says what went wrong',
    async (kit) => {
      kit.emulator('sales_crm').script(({ path }) => path === '/api/v2/deals/43', {
        status: 404,
        body: { success: false, error: 'Deal not found' },
      });
      const result = await (await kit.mcp()).call('sales_crm_deal_get', { id: 43 });
      equal(result.isError, true, 'an error:');
      matches(result.text, /not[ _]found|no such/i, 'the answer');
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'TOOL-007',
    'a team may be told by its name',
    async (kit) => {
      const team = { id, name: 'Engineering', key: 'ENG' };
      const nodes = { nodes: [team], pageInfo: { hasNextPage: false, endCursor: null } };
      const asksTeams = ({ text }: { text: string }): boolean =>
        /\bteams\s*[({]/.test(text) && !text.includes('issueCreate');
      kit
        .emulator('tracker')
        .script(asksTeams, { body: { data: { teams: nodes } } }, { body: { data: { teams: nodes } } });
      const client = await kit.mcp();
      const { value, received } = await kit.arriving('tracker', () =>
        client.call('tracker_issue_create', { title: 'By name', team: 'Engineering' }),
      );
      kit.emulator('tracker').unscript();
      holds(!value.isError, 'the call to succeed', value.text);
      contains(received.findLast(({ text }) => text.includes('issueCreate'))?.text ?? '', id, 'the request');
    },
    ['login', 'service:tracker'],
  ),
  portolan(
    'TOOL-009',
    'an answer that is too long is cut, and says how much is shown',
    async (kit) => {
      const data = Array.from({ length: 500 }, (_, index) => ({ id: index, title: 'A deal '.repeat(60) }));
      kit.emulator('sales_crm').script(({ path }) => path === '/api/v2/deals', { body: { success: true, data } });
      const { text } = await (await kit.mcp()).call('sales_crm_deals_list', {});
      holds(text.length < 150_000, 'a text that was cut', `${text.length} characters`);
      matches(text.slice(0, 2000) + text.slice(-2000), /\d+ of (the )?\d+|cut|shown|first \d+/i, 'the answer');
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'MCP-002',
    'GET /sse tells the address to post to, and answers come on the stream',
    async (kit) => {
      const authorization = `Bearer ${await kit.token()}`;
      const stream = await openStream(kit.baseUrl, '/sse', { authorization });
      try {
        equal(stream.status, 200, 'the status');
        matches(stream.contentType, /^text\/event-stream\b/, 'the content type');
        const endpoint = await stream.next('an event endpoint', ({ event }) => event === 'endpoint');
        const { pathname, search } = new URL(endpoint.data, kit.baseUrl);
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: initialization('2024-11-05'),
        });
        status(
          await kit.send({ method: 'POST', path: `${pathname}${search}`, headers: { ...json, authorization }, body }),
          [200, 202],
        );
        const answer = await stream.next('an answer', ({ data }) => data.includes('"result"'));
        contains(answer.data, 'serverInfo', 'the answer');
      } finally {
        stream.close();
      }
    },
    ['login'],
  ),
  portolan(
    'MCP-003',
    'a message for a stream of another user is 404',
    async (kit) => {
      const stream = await openStream(kit.baseUrl, '/sse', { authorization: `Bearer ${await kit.token()}` });
      try {
        const endpoint = await stream.next('an event endpoint', ({ event }) => event === 'endpoint');
        const { pathname, search } = new URL(endpoint.data, kit.baseUrl);
        const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
        const headers = { ...json, cookie: line.split(';')[0] ?? '' };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
        status(await kit.send({ method: 'POST', path: `${pathname}${search}`, headers, body }), 404);
      } finally {
        stream.close();
      }
    },
    ['login'],
  ),
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((version) =>
    portolan(
      `MCP-004/${version}`,
      `the revision ${version} is negotiated`,
      async (kit) => {
        const result = await (await kit.mcp()).request('initialize', initialization(version));
        equal(member(result, 'protocolVersion'), version, 'protocolVersion');
      },
      ['login'],
    ),
  ),
  portolan(
    'MCP-004/other',
    'another revision is answered with the newest',
    async (kit) => {
      const result = await (await kit.mcp()).request('initialize', initialization('1999-01-01'));
      equal(member(result, 'protocolVersion'), '2025-11-25', 'protocolVersion');
    },
    ['login'],
  ),
  portolan(
    'MCP-005',
    'tools of a service that is not connected are not listed',
    async (kit) => {
      await disconnect(kit, 'signing');
      try {
        const names = await namesOf(await kit.mcp());
        equal(
          names.filter((name) => name.startsWith('signing_')),
          [],
          'the tools of the signing service',
        );
        holds(names.includes('sales_crm_deals_list'), 'the tools of the others', names.length);
      } finally {
        await connectByOAuth(kit, 'signing');
      }
    },
    ['login', 'service:signing', 'service:sales_crm'],
  ),
  portolan(
    'MCP-006',
    'a tool that the address leaves out is refused, and runs nothing',
    async (kit) => {
      const client = await McpClient.open(kit.baseUrl, await kit.token(), '/message?services=vault');
      const { value, received } = await kit.arriving('sales_crm', () => client.call('sales_crm_deals_list', {}));
      equal(value.isError, true, 'an error:');
      equal(received.length, 0, 'the number of requests');
    },
    ['login', 'service:sales_crm'],
  ),
  ...(
    [
      ['no-json', '{"jsonrpc":', -32700],
      ['no-request', '{"jsonrpc":"2.0","id":1}', -32600],
      ['version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
      ['method', '{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
      ['params', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', -32602],
    ] as const
  ).map(([variant, body, code]) =>
    portolan(
      `MCP-007/${variant}`,
      `a wrong message is ${code}: ${variant}`,
      async (kit) => equal(codeOf(messageOf(await posted(kit, body))), code, 'the error code'),
      ['login'],
    ),
  ),
  portolan(
    'MCP-008',
    'nothing a client sends makes an error -32603',
    async (kit) => {
      const bodies = [
        '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":null}',
        '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
        '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"vault://\\u0000"}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
        '{"jsonrpc":"2.0","id":1,"method":"constructor"}',
        '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"toString"}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\\ud800"}}',
      ];
      for (const body of bodies) {
        const answer = await posted(kit, body);
        holds(answer.status < 500 && codeOf(messageOf(answer)) !== -32603, `no fault at ${body}`, answer.text);
      }
    },
    ['login'],
  ),
  portolan(
    'MCP-012/services',
    '?services= narrows the tools',
    async (kit) => {
      const names = await namesOf(
        await McpClient.open(kit.baseUrl, await kit.token(), '/message?services=vault,tracker'),
      );
      equal(
        names.filter((name) => !/^(vault|tracker)_/.test(name)),
        [],
        'the tools of other services',
      );
      holds(names.length > 10, 'tools of the two', names);
    },
    ['login', 'service:tracker', 'service:sales_crm'],
  ),
  portolan(
    'MCP-012/readonly',
    '?readonly=1 leaves out what changes something',
    async (kit) => {
      const tools = await (await McpClient.open(kit.baseUrl, await kit.token(), '/message?readonly=1')).tools();
      holds(tools.length > 10, 'tools', tools.length);
      equal(
        tools.filter(({ tool }) => member(tool, 'annotations', 'readOnlyHint') !== true).map(({ name }) => name),
        [],
        'the tools that change something',
      );
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'MCP-012/catalogue',
    '?mode=catalogue lists few tools, by which the others are found',
    async (kit) => {
      const names = await namesOf(await McpClient.open(kit.baseUrl, await kit.token(), '/message?mode=catalogue'));
      holds(names.length > 0 && names.length < 10, 'a few tools', names);
    },
    ['login'],
  ),
  portolan(
    'MCP-014',
    'a token limited on the consent page sees and calls only what it was given',
    async (kit) => {
      const client = await McpClient.open(kit.baseUrl, await narrowed(kit, ['vault'], 'read'));
      const names = await namesOf(client);
      equal(
        names.filter((name) => !name.startsWith('vault_')),
        [],
        'the tools of other services',
      );
      holds(!names.includes('vault_note_write'), 'no tool that writes', names);
      const { value, received } = await kit.arriving('tracker', () => client.call('tracker_viewer', {}));
      equal(value.isError, true, 'an error:');
      equal(received.length, 0, 'the number of requests');
    },
    ['login', 'service:tracker', 'service:vault'],
  ),
  portolan(
    'AUTH-018/services',
    'a token given fewer services is held to them on REST',
    async (kit) => {
      const token = await narrowed(kit, ['vault'], 'change');
      const { value, received } = await kit.arriving('tracker', () =>
        kit.api('GET', '/api/tracker/viewer', undefined, token),
      );
      status(value, 403);
      equal(received.length, 0, 'the number of requests');
    },
    ['login', 'rest', 'service:tracker'],
  ),
  portolan(
    'AUTH-018/read',
    'a token given reading only is held to it on REST and MCP',
    async (kit) => {
      const token = await narrowed(kit, ['sales_crm', 'vault'], 'read');
      const body = { title: 'x' };
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('POST', '/api/sales_crm/deals', body, token),
      );
      status(value, 403);
      status(await kit.api('GET', '/api/sales_crm/deals/41', undefined, token), 200);
      const client = await McpClient.open(kit.baseUrl, token);
      equal((await client.call('sales_crm_deal_create', body)).isError, true, 'an error:');
      equal(received.length, 0, 'the number of requests');
    },
    ['login', 'rest', 'service:sales_crm'],
  ),
  portolan(
    'AUTH-028',
    'a token given less than everything opens no page of the account and changes no connection',
    async (kit) => {
      const token = await narrowed(kit, ['vault'], 'change');
      for (const [method, path] of [
        ['GET', '/page'],
        ['POST', '/save'],
        ['POST', '/disconnect'],
      ] as const) {
        const answer = await kit.api(method, path, method === 'GET' ? undefined : { service: 'signing' }, token);
        status(answer, 403);
      }
    },
    ['login'],
  ),
  portolan(
    'USER-003',
    'an operation of a service that the user lacks is refused as forbidden, and its tool runs nothing',
    async (kit) => {
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      const guest = line.slice('user='.length).split(';')[0] ?? '';
      const client = await McpClient.open(kit.baseUrl, guest);
      for (const [service, path, tool] of [
        ['tracker', '/api/tracker/viewer', 'tracker_viewer'],
        ['sales_crm', '/api/sales_crm/deals', 'sales_crm_deals_list'],
      ] as const) {
        const { value, received } = await kit.arriving(service, async () => {
          equal((await client.call(tool, {})).isError, true, 'an error:');
          return kit.api('GET', path, undefined, guest);
        });
        equal(member(value.json, 'reason'), 'forbidden', 'reason');
        equal(received.length, 0, 'the number of requests');
      }
    },
    ['login', 'service:tracker', 'service:sales_crm'],
  ),
  portolan(
    'MCP-011',
    'a call whose client goes away ends the request to the provider',
    async (kit) => {
      const emulator = kit.emulator('sales_crm');
      const before = emulator.abandoned;
      emulator.script(({ path }) => path === '/api/v2/deals/44', {
        afterMs: 20_000,
        body: { success: true, data: { id: 44 } },
      });
      const client = await kit.mcp();
      const count = emulator.received.length;
      const call = {
        jsonrpc: '2.0',
        id: 'to-cancel',
        method: 'tools/call',
        params: { name: 'sales_crm_deal_get', arguments: { id: 44 } },
      };
      const leaving = new AbortController();
      const running = client.post(call, leaving.signal).catch(() => null);
      await eventually('the request', () => (emulator.received.length > count ? true : null));
      leaving.abort();
      await eventually('the request to be given up', () => (emulator.abandoned > before ? true : null), 10_000);
      await running;
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'MCP-018',
    'a batch is answered in its order, each under its own id',
    async (kit) => {
      const headers = { ...json, authorization: `Bearer ${await kit.token()}`, 'mcp-protocol-version': '2025-03-26' };
      const calls = ['a', 'b', 'c'].map((name) => ({ jsonrpc: '2.0', id: name, method: 'ping' }));
      const answer = await kit.send({ method: 'POST', path: '/message', headers, body: JSON.stringify(calls) });
      status(answer, 200);
      const messages = Array.isArray(answer.json) ? answer.json : [];
      equal(
        messages.map((message) => member(message, 'id')),
        ['a', 'b', 'c'],
        'the ids',
      );
    },
    ['login'],
  ),
  portolan(
    'MCP-020',
    'notes are resources under vault://',
    async (kit) => {
      kit.emulators.vault.notes.set('Kit resource.md', 'A resource\n');
      const result = await (await kit.mcp()).request('resources/read', { uri: 'vault://Kit%20resource.md' });
      contains(JSON.stringify(listAt(result, 'contents')), 'A resource', 'the contents');
    },
    ['login', 'service:vault'],
  ),
  portolan(
    'MCP-021',
    'prompts are listed for those who may use their services, and not for the guest',
    async (kit) => {
      const mine = listAt(await (await kit.mcp()).request('prompts/list'), 'prompts');
      if (mine.length === 0) throw new Skipped('the target has no prompts');
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      const guest = await McpClient.open(kit.baseUrl, line.slice('user='.length).split(';')[0] ?? '');
      equal(listAt(await guest.request('prompts/list'), 'prompts'), [], 'the prompts of the guest');
    },
    ['login', 'service:vault'],
  ),
  portolan(
    'PAGE-001',
    'the home page shows the user’s e-mail and the address for assistants',
    async (kit) => {
      const { text } = await (await kit.signedIn()).get('/floki/index');
      contains(text, kit.login.email, 'the home page');
      contains(text, `${kit.baseUrl}/message`, 'the home page');
    },
    ['login'],
  ),
  portolan('PAGE-005', '/ leads to sign-in, or home', async (kit) => {
    matches((await kit.get('/')).header('location'), /\/login/, 'the location');
    if (kit.config.login !== undefined)
      matches((await (await kit.signedIn()).get('/')).header('location'), /\/floki\/index/, 'the location');
  }),
  portolan(
    'PAGE-009',
    '/deliveries is not for other users',
    async (kit) => {
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      status(
        await kit.send({ path: '/deliveries', headers: { accept: 'text/html', cookie: line.split(';')[0] ?? '' } }),
        403,
      );
      const page = await (await kit.signedIn()).get('/deliveries');
      status(page, 200);
      lacks(page.text, kit.config.secrets.tracker ?? '\u0000', 'the page');
    },
    ['login'],
  ),
];
