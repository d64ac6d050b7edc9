import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { readZip } from '#infrastructure/archive/read-zip.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { serverFolder, serverSettings, startServer } from '#test/support/webhooks/webhook-server.ts';

// Who restores a backup has it from somebody; what is in it becomes files, rows and an administrator.

type Entries = Map<string, Buffer>;
type Manifest = Readonly<{ entries: { path: string; bytes: number; sha256: string }[] }>;

let folder: Awaited<ReturnType<typeof serverFolder>>;
let root: string;
let good: Entries;

/** Runs a command on a folder of data; its exit code, and what it said. */
async function command(name: 'backup' | 'restore', dataDir: string, file: string) {
  const env = { ...programEnvironment(), ...serverSettings(dataDir) };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, [await testedProgram('bootstrap/cli/backup.ts'), name, file], {
    env,
    cwd: root,
    stdio: [...stdio],
  });
  const [said, complained, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), said: `${said}${complained}` };
}

beforeAll(async () => {
  folder = await serverFolder();
  root = await mkdtemp(join(tmpdir(), 'portolan-forged-'));
  await (await startServer(folder.path)).stop();
  await writeFile(join(folder.path, 'vault', 'Note.md'), 'text');
  expect(await command('backup', folder.path, join(root, 'good.zip'))).toMatchObject({ code: 0 });
  const zip = await readZip(join(root, 'good.zip'));
  good = new Map();
  for (const path of zip.paths) good.set(path, await zip.read(path, 10_000_000));
  zip.close();
});
afterAll(async () => {
  await folder.remove();
  await rm(root, { recursive: true });
});

/** Writes an archive with these entries, which its manifest names as they are. */
async function archive(entries: Entries): Promise<string> {
  const manifest: Manifest = JSON.parse(entries.get('backup.json')?.toString() ?? '');
  const named = [...entries]
    .filter(([path]) => path !== 'backup.json')
    .map(([path, content]) => {
      return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    });
  const made = new ZipFile();
  made.addBuffer(Buffer.from(JSON.stringify({ ...manifest, entries: named })), 'backup.json');
  for (const [path, content] of entries) if (path !== 'backup.json') made.addBuffer(content, path);
  made.end();
  const file = join(root, 'forged.zip');
  await pipeline(made.outputStream, createWriteStream(file));
  return file;
}

const users = 'database/users.ndjson';
const row = (more: object) =>
  `${JSON.stringify({ id: 1, email: 'eve@example.com', password_hash: 'x', permissions: '[]', is_admin: 1, ...more })}\n`;

it('an unchanged backup is restored', async () => {
  expect(await command('restore', join(root, 'restored'), await archive(good))).toMatchObject({ code: 0 });
});

it.each([
  ['a folder that is a note', 'vault/Note.md/inner.md', 'x'],
  ['a name that is too long', `vault/${'x'.repeat(300)}.md`, 'x'],
  ['a name that hides its end', 'vault/Note.md/\u202e\u001b[2J.md', 'x'],
  ['a file of the system', 'etc/passwd', 'x'],
  ['a configuration, which would run', 'portolan.config.mjs', 'process.exit(9)'],
  ['a column that no table has', users, row({ admin: 1 })],
  ['a column called __proto__', users, row(JSON.parse('{"__proto__":{"a":1}}'))],
  ['a row of another type', users, row({ id: 'one' })],
  ['a row without columns', users, '{}\n'],
  ['no rows but a text', users, 'drop table users'],
  ['a table that there is not', 'database/badges.ndjson', '{}\n'],
])('a backup with %s is refused in a sentence, and leaves nothing behind (BACKUP-006)', async (_, path, content) => {
  const before = await readdir(root);
  const file = await archive(new Map([...good, [path, Buffer.from(content)]]));
  const { code, said } = await command('restore', join(root, 'target'), file);
  expect([code, said]).toEqual([1, expect.stringMatching(/cannot be restored: .*Nothing was restored\.\n$/s)]);
  expect(said).not.toMatch(/\n {4}at |[\u202e]|(?!\n)\p{Cc}/u);
  expect((await readdir(root)).filter((name) => !before.includes(name) && name !== 'forged.zip')).toEqual([]);
});
