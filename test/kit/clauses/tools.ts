import { contains, equal, holds, matches, member, textAt } from '#test/kit/checks.ts';
import { type Clause, contract, portolan, type ServiceKey } from '#test/kit/clause.ts';
import { connectByOAuth, disconnect } from '#test/kit/connections.ts';
import { callsIn } from '#test/kit/emulators/emulator.ts';
import { McpClient } from '#test/kit/mcp.ts';

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

const id = '9cfb482a-81e3-4154-b5b9-2c805e70a02d';

/** Clauses on the planned tools, their descriptions, and which are listed. */
export const tools: readonly Clause[] = [
  ...(Object.keys(planned) as ServiceKey[]).map((service) =>
    contract(
      `TOOL-001/${service}`,
      `the planned tools of ${service} are there under their names`,
      async (kit) => {
        const names = new Set(await (await kit.mcp()).names());
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
      const names = (await (await kit.mcp()).names()).filter((name) => name.startsWith('tracker_'));
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
      equal(callsIn(received), [], 'the calls:');
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
    'a team may be given by its name',
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
    'MCP-005',
    'tools of a service that is not connected are not listed',
    async (kit) => {
      await disconnect(kit, 'signing');
      try {
        const names = await (await kit.mcp()).names();
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
      equal(callsIn(received), [], 'the calls:');
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'MCP-012/services',
    '?services= narrows the tools',
    async (kit) => {
      const names = await (
        await McpClient.open(kit.baseUrl, await kit.token(), '/message?services=vault,tracker')
      ).names();
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
      const names = await (await McpClient.open(kit.baseUrl, await kit.token(), '/message?mode=catalogue')).names();
      holds(names.length > 0 && names.length < 10, 'a few tools', names);
    },
    ['login'],
  ),
];
