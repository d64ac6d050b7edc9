import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { ClientHarness } from '#test/support/mcp/client-harness.ts';
import { contractTools } from '#test/support/mcp/contract-tools.ts';

type Named = Readonly<{ name: string }>;

/** What every MCP client can do, whichever library it uses. */
export interface WorkingClient {
  listTools(): Promise<Readonly<{ tools: readonly Named[] }>>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<Readonly<{ resources: readonly Readonly<{ uri: string }>[] }>>;
  readResource(of: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<Readonly<{ prompts: readonly Named[] }>>;
  getPrompt(of: { name: string; arguments: Record<string, string> }): Promise<unknown>;
}

/** What `portolan://connections` holds for a person who is connected to everything. */
const connections = (baseUrl: string) => ({
  connections: [
    { service: 'sales_crm', title: 'Sales CRM', state: 'connected' },
    { service: 'signing', title: 'Signing service', state: 'connected' },
    { service: 'suite_crm', title: 'Suite CRM', state: 'connected' },
    { service: 'tracker', title: 'Tracker', state: 'connected' },
    { service: 'vault', title: 'Vault', state: 'connected' },
  ],
  connectUrl: `${baseUrl}/page`,
});

const textsSchema = z.object({ contents: z.tuple([z.looseObject({ text: z.string() })]) });

const content = '# Work\n\nÄ line — of “text”.\n';

/** Has a client list the tools and write a note by one of them. `name` is the note's own. */
export async function useTools(
  client: Pick<WorkingClient, 'listTools' | 'callTool'>,
  { dataDir }: ClientHarness,
  name: string,
): Promise<void> {
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  expect(names).toEqual(expect.arrayContaining([...contractTools]));
  const note = { path: `Work/${name} ä & ö.md`, content, mode: 'create' };
  const written = await client.callTool({ name: 'vault_note_write', arguments: note });
  const created = expect.stringContaining(`"path":"${note.path}","change":"created"`);
  expect(written).toMatchObject({ content: [{ type: 'text', text: created }] });
  expect(await readFile(join(dataDir, 'vault', note.path), 'utf8')).toBe(content);
}

/** Has a client use each method once: it writes a note by a tool, and reads it as a resource. */
export async function useEachMethod(client: WorkingClient, harness: ClientHarness, name: string): Promise<void> {
  await useTools(client, harness, name);
  const uri = `vault://Work/${encodeURIComponent(`${name} ä & ö.md`)}`;
  const uris = (await client.listResources()).resources.map((resource) => resource.uri);
  expect(uris).toEqual(expect.arrayContaining(['portolan://connections', uri]));
  const read = { uri, mimeType: 'text/markdown', text: content };
  expect(await client.readResource({ uri })).toMatchObject({ contents: [read] });
  const prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
  expect(prompts).toEqual(['deal_briefing', 'contract_follow_up', 'weekly_review', 'write_a_reaction']);
  const asked = await client.getPrompt({ name: 'weekly_review', arguments: { focus: 'Acme & Söhne' } });
  const text = expect.stringContaining('Prepare my weekly review, with Acme & Söhne first.');
  expect(asked).toMatchObject({ messages: [{ role: 'user', content: { type: 'text', text } }] });
}

/** Uses a client further: reads the note by a tool, calls a service, provokes a failure, and reads the status of its connections. */
export async function workThrough(client: WorkingClient, harness: ClientHarness, name: string): Promise<void> {
  await useEachMethod(client, harness, name);
  const path = `Work/${name} ä & ö.md`;
  const read = await client.callTool({ name: 'vault_note_read', arguments: { path } });
  const revision = expect.stringMatching(/^Revision: \w+$/);
  expect(read).toMatchObject({ content: [{ type: 'text', text: content }, { text: revision }] });
  const deals = await client.callTool({ name: 'sales_crm_deals_list', arguments: { limit: 5 } });
  expect(deals).toMatchObject({ structuredContent: { data: [{ title: 'A deal of Acme' }] } });
  const missing = await client.callTool({ name: 'vault_note_read', arguments: { path: 'Work/None.md' } });
  expect(missing).toMatchObject({ isError: true, structuredContent: { reason: 'not_found' } });
  const { contents } = textsSchema.parse(await client.readResource({ uri: 'portolan://connections' }));
  expect(JSON.parse(contents[0].text)).toEqual(connections(harness.baseUrl));
}
