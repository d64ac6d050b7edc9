import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { vaultProvider } from '#test/support/services/providers.ts';
import { Changes } from '#test/support/services/taken-back.ts';
import { apiKey, openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
let http: HttpClient;
let changes: Changes;

beforeEach(async () => {
  vault = await openTestVault();
  http = new HttpClient(() => 0);
  const record = tokenRecord('vault', { accessToken: apiKey, extra: { base_url: vault.url, verify_ssl: true } });
  changes = new Changes({ provider: vaultProvider('neutral'), record, http });
});
afterEach(async () => {
  http.close();
  await vault.close();
});

const write = (text: string): Promise<void> => writeFile(join(vault.folder, 'A.md'), text);
const text = (): Promise<string> => readFile(join(vault.folder, 'A.md'), 'utf8');
const before = '# A\n\none\ntwo\nthree\nfour';

it.each([
  ['notes.write', { path: 'A.md', content: 'other', mode: 'overwrite' }],
  ['notes.write', { path: 'A.md', content: 'more', mode: 'append' }],
  ['notes.replace', { path: 'A.md', find: 'two', replace: '2' }],
  ['notes.delete', { path: 'A.md' }],
])('%s of a connected notes app is planned and taken back (VER-005)', async (name, input) => {
  await write(before);
  const plan = await changes.dry(name, input);
  expect(plan).toMatchObject({ irreversible: null, differences: [{ kind: 'text', path: 'A.md', before }] });
  expect(await text()).toBe(before);
  const made = await changes.make(name, input);
  expect(made.outcome).toMatchObject({ ok: true });
  expect(await changes.takeBack(made)).toMatchObject({ ok: true });
  expect(await text()).toBe(before);
});

it('later edits in a connected notes app stay, and are not overwritten (VER-005)', async () => {
  await write(before);
  const made = await changes.make('notes.replace', { path: 'A.md', find: 'two', replace: '2' });
  await write((await text()).replace('four', '4'));
  expect(await changes.takeBack(made)).toMatchObject({ ok: true });
  expect(await text()).toBe(before.replace('four', '4'));
  const again = await changes.make('notes.replace', { path: 'A.md', find: 'two', replace: '2' });
  await write((await text()).replace('2', 'II'));
  expect(await changes.takeBack(again)).toMatchObject({
    reason: 'conflict',
    message: expect.stringMatching(/"A\.md".* 4\b/),
  });
});

it('a note that was made in a connected notes app is deleted while it is unchanged, and a patch is not taken back (VER-005)', async () => {
  const made = await changes.make('notes.write', { path: 'A.md', content: 'new' });
  expect(await changes.takeBack(made)).toMatchObject({ ok: true });
  await expect(text()).rejects.toThrow('ENOENT');
  await write(before);
  const patched = await changes.make('frontmatter.set', { path: 'A.md', key: 'a', value: 1 });
  expect(patched.undo).toBeNull();
  expect(patched.plan.irreversible).toContain('cannot be taken back');
});
