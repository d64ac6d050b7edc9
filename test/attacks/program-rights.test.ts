import { afterAll, beforeAll, expect, it } from 'vitest';
import { personalToken } from '#test/emulators/sales-crm/emulator.ts';
import { UndoApp } from '#test/support/changes/undo-app.ts';

let app: UndoApp;
let token: string;

beforeAll(async () => {
  app = await UndoApp.start();
  token = await app.app({ name: 'Hostile programmer' });
});
afterAll(() => app.stop());

const run = (code: string, by = token) => app.call(by, 'workspace_run', { code });

/** A program that lists the paths of all operations that it has. */
const allPaths = `const paths = [];
const walk = (at, path) => {
  for (const name of Object.keys(at)) { const below = path === '' ? name : path + '.' + name; paths.push(below); walk(at[name], below); }
};
walk(portolan, '');
return paths;`;

it('a program does not have what stays REST only: permanent deletes, webhooks, users (PROG-007)', async () => {
  const { data } = await run(allPaths);
  const paths = (Array.isArray(data['result']) ? data['result'] : []).map(String);
  expect(paths).toContain('tracker.issue_archive');
  expect(paths.filter((path) => /webhook|channel|\bwatch\b|tracker\.\w+\.delete/.test(path))).toEqual([]);
  for (const path of [
    'tracker.issues.delete',
    'tracker.webhooks.create',
    'sales_crm.webhooks.delete',
    'tracker.comments.delete',
  ]) {
    expect((await run(`return await portolan.${path}({ id: 'a' })`)).data, path).toMatchObject({
      reason: 'invalid_input',
    });
  }
});

it('a program sees no token, key or id of a connection (PROG-007)', async () => {
  const { data } = await run(`const seen = [];
for (const call of [portolan.tracker.viewer, portolan.vault.vault_list, portolan.search]) {
  try { seen.push(await call({ query: 'a' })) } catch (error) { seen.push({ ...error, message: error.message, stack: error.stack }) }
}
return JSON.stringify([seen, Object.getOwnPropertyNames(globalThis), portolan.toString(), log.toString()])`);
  const { signing, tracker } = app.services.emulators;
  for (const secret of [personalToken, signing.apiKey, tracker.credentials.apiKey, token]) {
    expect(JSON.stringify(data)).not.toContain(secret);
  }
  expect(data['result']).toContain('hits');
});

it('a program has no switched-off operation, and none at all when programs are switched off (PROG-007)', async () => {
  await app.person.call('PUT', '/api/switches', { off: ['vault:notes.write'] });
  expect((await run('await portolan.vault.note_write({ path: "a.md", content: "a" })')).data).toMatchObject({
    reason: 'invalid_input',
  });
  await app.person.call('PUT', '/api/switches', { off: ['workspace:run'] });
  expect((await run('return 1')).data).toMatchObject({ reason: 'forbidden' });
  await app.person.call('PUT', '/api/switches', { off: [] });
  expect((await run('return 1')).data).toMatchObject({ result: 1 });
});

it('a program that was allowed after programs were switched off is not made (PROG-007, PROG-008)', async () => {
  const asking = await app.app({ name: 'Switched off meanwhile', ask: 'change' });
  const code = 'await portolan.vault.note_write({ path: "Switched off.md", content: "a" })';
  const { id } = Object((await app.call(asking, 'workspace_run', { code })).data['approval']);
  await app.person.call('PUT', '/api/switches', { off: ['workspace:run'] });
  await app.person.call('POST', `/api/approvals/${id}`, { decision: 'allow' });
  await app.person.call('PUT', '/api/switches', { off: [] });
  expect((await app.call(asking, 'workspace_run', { code, approval: id })).data).toMatchObject({ reason: 'forbidden' });
  expect((await run('return await portolan.vault.note_read({ path: "Switched off.md" })')).data).toMatchObject({
    reason: 'not_found',
  });
});

it('a program makes at most 500 calls, and what it did until then is answered (PROG-009)', async () => {
  const { isError, data } = await run(
    'let n = 0; for (;;) { n += 1; await portolan.vault.tags_list({ path: "none " + n + ".md" }).catch(() => 0) }',
  );
  expect(isError).toBe(true);
  expect(data['message']).toContain('at most 500 calls');
  expect(Object(data['details']).calls).toBeGreaterThanOrEqual(500);
});

it('code of more than 64 KB, and inputs that are no program, are refused (PROG-009)', async () => {
  expect((await run('x'.repeat(64 * 1024 + 1))).data).toMatchObject({ reason: 'invalid_input' });
  for (const args of [{}, { code: 1 }, { code: '' }, { code: 'return 1', more: 1 }, { code: 'return 1', dry: 'yes' }]) {
    expect((await app.call(token, 'workspace_run', args)).data, JSON.stringify(args)).toMatchObject({
      reason: 'invalid_input',
    });
  }
});

it('the approval of a program is of no use to another app, or for another program (PROG-008)', async () => {
  const asking = await app.app({ name: 'Asking', ask: 'change' });
  const code = 'await portolan.vault.note_write({ path: "Theirs.md", content: "a" })';
  const { data } = await app.call(asking, 'workspace_run', { code });
  const { id } = Object(data['approval']);
  const other = await app.app({ name: 'Other', ask: 'change' });
  expect((await app.call(other, 'workspace_run', { code, approval: id })).data).toMatchObject({ reason: 'not_found' });
  expect((await app.call(asking, 'workspace_run', { code: `${code};`, approval: id })).data).toMatchObject({
    reason: 'invalid_input',
  });
  expect(
    (await app.call(asking, 'vault_note_write', { path: 'Theirs.md', content: 'a', approval: id })).data,
  ).toMatchObject({
    reason: 'invalid_input',
  });
});
