import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

type Opened = Awaited<ReturnType<typeof openVaultGateway>>;

const opened: Opened[] = [];
afterEach(() => Promise.all(opened.splice(0).map((gateway) => gateway.close())));

async function open(made: Promise<Opened>): Promise<Opened> {
  const gateway = await made;
  opened.push(gateway);
  return gateway;
}

const here = async () => open(openVaultGateway('neutral', await openTestVault({ listen: null })));

const text = '# Deal\n\n## Log\n\n- one ^one\n\n## Next\n\n# Person\n\n## Log\n\n- two\n';

it.each([
  ['the team’s vault', here],
  ['a vault over its REST interface', () => open(openVaultGateway('neutral'))],
  [
    'an old release of the notes app',
    async () => open(openVaultGateway('obsidian', (await openNotesApp('3.4.6')).vault)),
  ],
])('one part of a note is read in %s (VAULT-023)', async (_, start) => {
  const { vault, call } = await start();
  await writeFile(join(vault.folder, 'A.md'), text);
  const read = (input: object) => call('notes.section', { path: 'A.md', ...input });
  expect(await read({ target: 'Deal::Log' })).toMatchObject({
    ok: true,
    data: { path: 'A.md', part: 'Deal::Log', lines: '3-5', text: '## Log\n\n- one ^one\n\n' },
  });
  expect(await read({ target: '^one' })).toMatchObject({ data: { part: '^one', lines: '5-5' } });
  expect(await read({ lines: '9' })).toMatchObject({ data: { lines: '9-9', text: '# Person\n' } });
  expect(await read({ target: 'Log' })).toMatchObject({
    reason: 'invalid_input',
    message: expect.stringMatching(/"Deal::Log" \(line 3\).*"Person::Log" \(line 11\)/),
  });
  expect(await read({ target: 'Nest' })).toMatchObject({
    reason: 'not_found',
    message: expect.stringMatching(/no heading "Nest"\. It has: "Deal::Next"[^.]*\.$/),
  });
  expect(await read({ lines: '90-91' })).toMatchObject({ reason: 'not_found' });
  expect(await read({})).toMatchObject({ reason: 'invalid_input' });
  expect(await read({ target: 'Deal', lines: '1' })).toMatchObject({ reason: 'invalid_input' });
  expect(await call('notes.section', { path: 'B.md', lines: '1' })).toMatchObject({ reason: 'not_found' });
});

it('parts are read of no folder, and of nothing outside the vault (VAULT-023)', async () => {
  const { vault, call } = await here();
  await mkdir(join(vault.folder, 'Deals'));
  await writeFile(join(vault.folder, '..', 'secret.md'), text);
  await symlink(join(vault.folder, '..', 'secret.md'), join(vault.folder, 'Link.md'));
  for (const [path, reason] of [
    ['Deals', 'invalid_input'],
    ['Deals/', 'invalid_input'],
    ['../secret.md', 'invalid_input'],
    ['Link.md', 'rejected'],
    ['.obsidian/app.json', 'invalid_input'],
  ] as const) {
    expect({ path, ...(await call('notes.section', { path, lines: '1' })) }).toMatchObject({ path, reason });
  }
});
