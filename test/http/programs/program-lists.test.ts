import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';

let app: UndoApp;
let token: string;

beforeAll(async () => {
  app = await UndoApp.start();
  token = await app.app({ name: 'Programmer' });
});
afterAll(() => app.stop());

const toolsSchema = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
const contentsSchema = z.object({ result: z.object({ contents: z.array(z.object({ text: z.string() })) }) });

async function listed(query: string, person = token): Promise<readonly string[]> {
  const answer = await post(
    app.server.origin,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { person, path: `/message${query}` },
  );
  return toolsSchema.parse(await answer.json()).result.tools.map(({ name }) => name);
}

/** Compiles TypeScript with the strictest settings; returns what the compiler says. */
async function compiled(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'program-types-'));
  const file = join(folder, 'program.ts');
  await writeFile(file, source);
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024', '--module', 'esnext', '--types', ''];
  try {
    await promisify(execFile)(process.execPath, [tsc, ...flags, file], { cwd: folder });
    return '';
  } catch (error) {
    return z.object({ stdout: z.string() }).parse(error).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('workspace_run is listed in the catalogue mode and with mode=programs, and called in any (PROG-010)', async () => {
  expect(await listed('?mode=programs')).toEqual(['workspace_run', 'search_tools', 'workspace_search']);
  expect(await listed('?mode=catalogue')).toContain('workspace_run');
  expect(await listed('')).not.toContain('workspace_run');
  expect((await app.call(token, 'workspace_run', { code: 'return 1' })).data).toMatchObject({ result: 1 });
});

it('a user who switched programs off is not listed it (PROG-007)', async () => {
  await app.person.call('PUT', '/api/switches', { off: ['workspace:run'] });
  expect(await listed('?mode=programs')).toEqual(['search_tools', 'workspace_search']);
  await app.person.call('PUT', '/api/switches', { off: [] });
});

it('search_tools declares in TypeScript what it finds (PROG-010)', async () => {
  const { data } = await app.call(token, 'search_tools', { query: 'create an issue', code: true, limit: 2 });
  expect(data['code']).toMatch(/issue_create\(inputs: \{ title: string; .*\}\): Promise<\{ /);
  expect(await compiled(String(data['code']))).toBe('');
});

it('the declarations of all operations compile, and reject wrong inputs (PROG-010)', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'portolan://programs/types' } };
  const answer = await post(app.server.origin, message, { person: token });
  const [types] = contentsSchema.parse(await answer.json()).result.contents;
  const text = types?.text ?? '';
  for (const name of ['issue_create', 'deal_update', 'note_write', 'document_send'])
    expect(text).toContain(`${name}(inputs`);
  const program = `${text}
async function program() {
  for await (const issue of portolan.pages(portolan.tracker.issues_list, { first: 5 })) log(issue.title);
  const note: unknown = await portolan.vault.note_read({ path: 'a.md' });
  return [note, (await portolan.sales_crm.deals_list({})).data.length];
}
program;`;
  expect(await compiled(program)).toBe('');
  expect(await compiled(`${text}\nportolan.vault.note_read({ paths: 'a.md' });`)).toContain('paths');
});
