import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post, toolsCall } from '#test/support/mcp/mcp-clients.ts';
import { workspaceTools } from '#test/support/mcp/workspace-tools.ts';

const catalog = catalogOf(providersFrom(readSettings({})));
const path = '/message?mode=catalogue';
const entry = z.looseObject({ name: z.string(), run: z.string().optional(), inputs: z.string().optional() });
const answered = z.object({ result: z.looseObject({ content: z.tuple([z.object({ text: z.string() })]) }) });
const found = z.object({ tools: z.array(entry), found: z.number() });

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp({ catalog, features: { tools: workspaceTools(catalog) } });
});
afterAll(() => app.close());

async function search(args: object, more = path) {
  const call = toolsCall(1, 'search_tools', { arguments: args });
  const { result } = answered.parse(await (await post(app.url, call, { path: more })).json());
  const { tools, found: count } = found.parse(JSON.parse(result.content[0].text));
  return { tools, count, names: tools.map(({ name }) => name), tokens: estimateTokens(JSON.stringify(result)) };
}

async function run(runner: string, tool: string, given: object = {}, more = path) {
  const call = toolsCall(1, runner, { arguments: { tool, arguments: given } });
  const text = JSON.stringify(await (await post(app.url, call, { path: more })).json());
  return text;
}

/** By hand: what a person asks for, and the tools of which one is meant; those of tools that are not there yet wait for them. */
const questions: readonly (readonly [string, ...string[]])[] = [
  ["today's note", 'vault_periodic_read', 'vault_periodic_write'],
  ['heutige Notiz', 'vault_periodic_read', 'vault_periodic_write'],
  ['write to the daily note', 'vault_periodic_write'],
  ['In die heutige Notiz schreiben', 'vault_periodic_write'],
  ['Wochennotiz lesen', 'vault_periodic_read'],
  ['delete a note', 'vault_note_delete'],
  ['Notiz löschen', 'vault_note_delete'],
  ['Notiz loeschen', 'vault_note_delete'],
  ['Notiz anlegen', 'vault_note_write'],
  ['which notes mention Nordwind', 'vault_search'],
  ['Notizen suchen', 'vault_search'],
  ['find notes by tag', 'vault_search_advanced'],
  ['tag a note', 'vault_tags_add'],
  ['set a property of a note', 'vault_frontmatter_set'],
  ['edit a paragraph under a heading', 'vault_note_patch'],
  ['replace text in a note', 'vault_note_replace'],
  ['list the files in a folder', 'vault_vault_list'],
  ['move a note', 'vault_note_move'],
  ['rename a note', 'vault_note_move'],
  ['Notiz verschieben', 'vault_note_move'],
  ['rename a heading', 'vault_heading_rename'],
  ['Überschrift umbenennen', 'vault_heading_rename'],
  ['rename a tag in all notes', 'vault_tag_rename'],
  ['earlier versions of a note', 'vault_note_versions'],
  ['bring a deleted note back', 'vault_note_restore'],
  ['gelöschte Notiz wiederherstellen', 'vault_note_restore'],
  ['Schlagwort umbenennen', 'vault_tag_rename'],
  ['read one section of a note', 'vault_note_section'],
  ['open a bug', 'tracker_issue_create'],
  ['Fehler melden', 'tracker_issue_create'],
  ['close an issue', 'tracker_issue_update'],
  ['Ticket schließen', 'tracker_issue_update'],
  ['assign a ticket to someone', 'tracker_issue_update'],
  ['Welche Tickets sind offen?', 'tracker_issues_list'],
  ['issues assigned to me', 'tracker_issues_list'],
  ['block one issue by another', 'tracker_issue_link'],
  ['attach a link to an issue', 'tracker_attachment_create'],
  ['Kommentar schreiben', 'tracker_comment_create'],
  ['current sprint', 'tracker_cycle_get'],
  ['Projekte anzeigen', 'tracker_projects_list'],
  ['send a contract', 'signing_document_send'],
  ['Vertrag zur Unterschrift schicken', 'signing_document_send'],
  ['who still has to sign', 'signing_document_details'],
  ['Vertrag herunterladen', 'signing_document_download'],
  ['mark a deal as lost', 'sales_crm_deal_update'],
  ['Geschäft anlegen', 'sales_crm_deal_create'],
  ['find a contact by e-mail', 'sales_crm_search', 'sales_crm_persons_list'],
  ['Kontakt anlegen', 'sales_crm_person_create'],
  ['merge duplicate persons', 'sales_crm_persons_merge'],
  ['schedule a follow-up call', 'sales_crm_activity_create'],
  ['Termin eintragen', 'sales_crm_activity_create'],
  ['Datensatz löschen', 'suite_record_delete'],
  ['sum by a field', 'suite_coql_query'],
  ['everything about a customer', 'workspace_brief'],
  ['Was wissen wir über Nordwind?', 'workspace_brief'],
  ['search everywhere', 'workspace_search'],
  ['do the same for several', 'workspace_bulk'],
  ['automate something when a deal changes', 'workspace_reactions'],
];

/** By hand: operations without a tool that stay REST only. */
const restOnly = [
  'sales_crm.users.list',
  'sales_crm.webhooks.create',
  'signing.members.list',
  'suite_crm.watch.create',
  'suite_crm.watch.delete',
  'suite_crm.watch.list',
  'suite_crm.watch.renew',
  'tracker.comments.delete',
  'tracker.documents.delete',
  'tracker.issues.delete',
  'tracker.webhooks.create',
  'tracker.webhooks.delete',
];

describe('a search for tools', () => {
  it('finds the tool that is meant first or second, for nine of ten questions (TOOL-019)', async () => {
    const missed: string[] = [];
    const there = new Set(
      [...catalog.operations, ...workspaceTools(catalog)].map((one) => ('tool' in one ? one.tool : one.name)),
    );
    const answerable = questions.filter(([, ...meant]) => meant.every((name) => there.has(name)));
    for (const [query, ...meant] of answerable) {
      const { names } = await search({ query, limit: 2 });
      if (!meant.some((name) => names.includes(name))) missed.push(`${query}: ${names.join(', ')}`);
    }
    expect(answerable.length).toBeGreaterThanOrEqual(40);
    expect(missed).toEqual([]);
  });

  it('takes at most 500 tokens, whatever is asked for (TOOL-019)', async () => {
    for (const [query] of questions) {
      expect((await search({ query })).tokens, query).toBeLessThanOrEqual(500);
      expect((await search({ query, limit: 20 })).tokens, query).toBeLessThanOrEqual(500);
    }
    const { tools, count, tokens } = await search({ limit: 20 });
    expect(tokens).toBeLessThanOrEqual(500);
    expect(tools.length).toBeGreaterThanOrEqual(15);
    expect(count).toBeGreaterThan(200);
  });

  it('names what runs each, and its inputs; with `full` it has the whole schema (TOOL-019)', async () => {
    const { tools } = await search({ query: 'open a bug' });
    expect(tools[0]).toEqual({
      name: 'tracker_issue_create',
      title: 'Creates an issue',
      run: 'run_write_tool',
      inputs:
        'title*, team*, description, assignee, priority (none|urgent|high|medium|low), state, project, cycle, parent, labels [], dueDate, estimate',
    });
    const full = await search({ query: 'tracker_issue_create', full: true });
    expect(full.tools).toMatchObject([
      {
        name: 'tracker_issue_create',
        inputSchema: { properties: { team: { description: 'Key ("ENG"), name or id' } } },
      },
    ]);
  });

  it('finds and runs operations without a tool, except those that stay REST only (TOOL-018)', async () => {
    const without = catalog.operations.filter(({ tool, route }) => tool === null && route !== null);
    expect(without.length).toBeGreaterThan(100);
    const hidden: string[] = [];
    for (const { service, name } of without) {
      const { names } = await search({ query: `${service}.${name}`, limit: 1 });
      if (names[0] !== `${service}.${name}`) hidden.push(`${service}.${name}`);
    }
    expect(hidden.toSorted()).toEqual(restOnly);
    expect((await search({ query: 'edit a comment', limit: 2 })).names).toContain('tracker.comments.update');
    const before = app.gateway.calls.length;
    await run('run_write_tool', 'tracker.comments.update', { id: 'c', body: 'New' });
    expect(app.gateway.calls.slice(before)).toMatchObject([{ service: 'tracker', name: 'comments.update' }]);
  });

  it.each(restOnly)('does not run what stays REST only: %s (TOOL-002, TOOL-018)', async (name) => {
    const before = app.gateway.calls.length;
    expect(await run('run_write_tool', name, { id: 'ENG-1' })).toContain(`Unknown tool: ${name}`);
    expect(await run('run_read_tool', name)).toContain('"isError":true');
    expect(app.gateway.calls).toHaveLength(before);
  });

  it('finds what only reads to a connection that may only read', async () => {
    const { tools } = await search({ query: 'Notiz löschen', limit: 20 }, `${path}&readonly=1`);
    expect(tools.some(({ run: runner }) => runner === 'run_write_tool')).toBe(false);
    expect(await run('run_read_tool', 'vault.notes.put', {}, `${path}&readonly=1`)).toContain('set up to read only');
  });
});
