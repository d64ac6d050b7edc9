import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { type EmulatedServices, startServices } from '#test/support/services/emulated-services.ts';

// Dry runs of changes, over the whole app with the five emulated services.

let services: EmulatedServices;
let server: WholeServer;
let token: string;

beforeAll(async () => {
  services = await startServices();
  server = await openWholeServer({ RATE_LIMITS: 'off', WEBHOOK_REGISTRATION: 'off', ...services.settings });
  await services.connect(await SignedIn.to(server.origin, ada));
  token = await accessToken(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await services.close();
});

const answerSchema = z.object({
  result: z.looseObject({
    isError: z.boolean().optional(),
    structuredContent: z.looseObject({}).optional(),
    content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
  }),
});

async function call(name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await post(server.origin, message, { person: token, path: '/message?schemas=full' });
  const { result } = answerSchema.parse(await answer.json());
  expect(result.isError ?? false, JSON.stringify(result)).toBe(false);
  return result.structuredContent ?? z.looseObject({}).parse(JSON.parse(result.content[0].text));
}

const idOf = (content: Readonly<Record<string, unknown>>) => z.union([z.number(), z.string()]).parse(content['id']);
const filed = (path: string) => join(server.dataDir, 'vault', path);

describe('a dry run', () => {
  it('shows the difference of a record by its name, and changes nothing (ASK-002)', async () => {
    const id = idOf(await call('sales_crm_deal_create', { title: 'Nordlicht: 40 licences', value: 100 }));
    const shown = await call('sales_crm_deal_update', { id, value: 250, dry: true });
    expect(shown).toMatchObject({
      dry: true,
      changes: [{ record: 'Nordlicht: 40 licences', fields: [{ field: 'Value', before: 100, after: 250 }] }],
      can_be_taken_back: true,
    });
    expect(await call('sales_crm_deal_get', { id })).toMatchObject({ value: 100 });
  });

  it('makes no record and no note (ASK-002)', async () => {
    const title = 'Never made';
    expect(await call('tracker_issue_create', { title, team: 'ENG', dry: true })).toMatchObject({ dry: true });
    const { data } = await call('tracker_issues_list', { fields: ['title'] });
    expect(JSON.stringify(data)).not.toContain(title);
    expect(await call('vault_note_write', { path: 'Never.md', content: 'x', dry: true })).toMatchObject({ dry: true });
    await expect(stat(filed('Never.md'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('overwrites, patches and deletes no note (ASK-002)', async () => {
    const path = 'Ideas/Plan.md';
    await call('vault_note_write', { path, content: '# Plan\n\n## Log\n\nOne.\n' });
    await call('vault_note_write', { path, content: 'gone', mode: 'overwrite', dry: true });
    await call('vault_note_delete', { path, dry: true });
    await call('vault_tags_add', { path, tags: ['later'], dry: true });
    expect(await readFile(filed(path), 'utf8')).toBe('# Plan\n\n## Log\n\nOne.\n');
  });

  it('of many calls shows each, and makes none (ASK-002)', async () => {
    const items = ['A', 'B'].map((name) => ({ path: `Many/${name}.md`, content: name }));
    const { done } = await call('workspace_bulk', { operation: 'vault_note_write', items, dry: true });
    expect(done).toHaveLength(2);
    await expect(stat(filed('Many'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
