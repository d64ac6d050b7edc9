import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rounds } from '#test/support/form.ts';
import { openTestVault, patchHeaders, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let outside: string;
let vault: TestVault;
const markdown = { 'Content-Type': 'text/markdown' };
const secret = 'the secret outside';

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'vault-outside-'));
  await writeFile(join(outside, 'secret.md'), secret);
  vault = await openTestVault({ folder: join(outside, 'notes') });
});
afterEach(async () => {
  await vault.close();
  await rm(outside, { recursive: true, force: true });
});

/** Everything outside the vault's folder, by path. */
async function surroundings(): Promise<Record<string, string>> {
  const entries = await readdir(outside, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const beside = files.filter((path) => !path.startsWith(`${vault.folder}/`));
  return Object.fromEntries(await Promise.all(beside.map(async (path) => [path, await readFile(path, 'utf8')])));
}

async function attack(path: string): Promise<void> {
  for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
    const answer = await vault.askRaw(method, path, method === 'GET' ? '' : 'attacked');
    expect(answer.body).not.toContain(secret);
  }
}

const attackParts =
  '.. . %2e%2e %2E%2e %252e%252e ..%2f %2f %5c \\ %00 secret.md notes a ~ %c0%af ..; %u002e ... .%20. folder C: CON // '.split(
    ' ',
  );

it.skipIf(process.platform === 'win32')('a pipe in the folder is not a file, and blocks nobody', async () => {
  await once(spawn('mkfifo', [join(vault.folder, 'pipe.md')]), 'close');
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await vault.ask(method, '/vault/pipe.md', {
      headers: markdown,
      ...(method === 'POST' ? { body: 'x' } : {}),
    });
    expect([404, 405]).toContain(answer.status);
  }
});

describe('a path cannot leave the folder', () => {
  it.each([
    '/vault/../secret.md',
    '/vault/..%2fsecret.md',
    '/vault/%2e%2e/secret.md',
    '/vault/%2e%2e%2fsecret.md',
    '/vault/.%2e/secret.md',
    '/vault/a/../../secret.md',
    '/vault/a/..%2f..%2fsecret.md',
    '/vault/..%5csecret.md',
    '/vault/..\\secret.md',
    '/vault/%5c..%5csecret.md',
    '/vault//etc/passwd',
    '/vault/%2fetc%2fpasswd',
    '/vault/secret.md%00',
    '/vault/%00../secret.md',
    '/vault/%',
    '/vault/%ff%fe',
    '/vault/%c0%ae%c0%ae/secret.md',
    '/open/../secret.md',
    '/open/%2e%2e%2fsecret.md',
  ])('%s is refused (EMB-002)', async (path) => {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      const answer = await vault.askRaw(method, path, method === 'GET' ? '' : 'attacked');
      expect(answer.status, method).toBeGreaterThanOrEqual(400);
      expect(answer.status, method).toBeLessThan(500);
    }
    expect(await surroundings()).toEqual({ [join(outside, 'secret.md')]: secret });
  });

  it('through links, to files, to folders, or to nothing (EMB-002)', async () => {
    await symlink(join(outside, 'secret.md'), join(vault.folder, 'file.md'));
    await symlink(outside, join(vault.folder, 'folder'));
    await symlink(join(outside, 'new.md'), join(vault.folder, 'dangling.md'));
    await symlink('loop.md', join(vault.folder, 'loop.md'));
    for (const path of ['file.md', 'folder/secret.md', 'folder/new.md', 'folder/', 'dangling.md', 'loop.md']) {
      await attack(`/vault/${path}`);
    }
    expect(await surroundings()).toEqual({ [join(outside, 'secret.md')]: secret });
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: [] });
  });

  it('while a link inside the folder works, but not into a dot-folder', async () => {
    await mkdir(join(vault.folder, '.git'));
    await writeFile(join(vault.folder, '.git/config.md'), secret);
    await writeFile(join(vault.folder, 'real.md'), 'text');
    await symlink('real.md', join(vault.folder, 'link.md'));
    await symlink('.git', join(vault.folder, 'git'));
    expect(await vault.read('link.md')).toBe('text');
    await vault.ask('PUT', '/vault/link.md', { body: 'new', headers: markdown });
    expect(await vault.read('real.md')).toBe('new');
    await attack('/vault/git/config.md');
    expect(await readFile(join(vault.folder, '.git/config.md'), 'utf8')).toBe(secret);
  });

  it.each(['.git/config', '.obsidian/app.json', '.trash/a.md', 'a/.hidden/b.md'])(
    'and %s is not served',
    async (path) => {
      await mkdir(dirname(join(vault.folder, path)), { recursive: true });
      await writeFile(join(vault.folder, path), secret);
      await attack(`/vault/${path}`);
      expect(await readFile(join(vault.folder, path), 'utf8')).toBe(secret);
      const hits = await vault.ask('POST', '/search/simple/?query=secret');
      expect([await (await vault.ask('GET', '/vault/')).json(), await hits.json()]).toEqual([{ files: [] }, []]);
    },
  );

  it('property: whatever the path, nothing outside is read or written (EMB-002)', async () => {
    const part = fc.constantFrom(...attackParts);
    await symlink(outside, join(vault.folder, 'folder'));
    const before = await surroundings();
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 7 }), async (parts) =>
        attack(`/vault/${parts.join('/')}`),
      ),
      { numRuns: rounds(40, 150) },
    );
    expect(await surroundings()).toEqual(before);
  });
});

it('dot-files are neither read nor written nor opened, in any folder (EMB-002)', async () => {
  await mkdir(join(vault.folder, 'a'));
  await writeFile(join(vault.folder, 'a/.htaccess'), secret);
  await symlink('a/.htaccess', join(vault.folder, 'link.md'));
  for (const path of ['.env', 'a/.htaccess', 'a/%2Ehtaccess', '.a/b.md', 'link.md']) await attack(`/vault/${path}`);
  for (const path of ['.env', 'a/.new']) await vault.askRaw('POST', `/open/${path}`);
  expect(await readdir(vault.folder, { recursive: true })).toEqual(['a', 'link.md', 'a/.htaccess']);
  expect(await readFile(join(vault.folder, 'a/.htaccess'), 'utf8')).toBe(secret);
});

describe('a file name is returned unchanged, in Unicode NFC', () => {
  it.each([
    'two words.md',
    '#hash.md',
    '100%.md',
    '%41 not A.md',
    'what?.md',
    'a+b&c=d;e,f.md',
    '😀 emoji.md',
    'שלום עולם.md',
    'مرحبا.md',
    'Å, é and ộ.md',
    'quote\' "double" `tick`.md',
    'con.md',
    'trailing. .md',
    'deep/er/and deeper/#1.md',
    'constructor.md',
    '__proto__.md',
  ])('%s', async (name) => {
    const path = `/vault/${name.split('/').map(encodeURIComponent).join('/')}`;
    expect((await vault.ask('PUT', path, { body: `# ${name}\n`, headers: markdown })).status).toBe(204);
    expect(await vault.read(name)).toBe(`# ${name}\n`);
    expect(await readFile(join(vault.folder, name.normalize('NFC')), 'utf8')).toBe(`# ${name}\n`);
    const note = await vault.ask('GET', path, { headers: { Accept: 'application/vnd.vault.note+json' } });
    expect(await note.json()).toMatchObject({ path: name.normalize('NFC') });
  });

  it('property: any name that a file can have', async () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !/[/\\\0]/.test(text) && !text.startsWith('.') && text.isWellFormed())
      .map((text) => `${text}x`);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.string({ unit: 'grapheme' }),
        async (names, text) => {
          run += 1;
          const path = [`run ${run}`, ...names].join('/');
          const url = `/vault/${path.split('/').map(encodeURIComponent).join('/')}`;
          expect((await vault.ask('PUT', url, { body: text, headers: markdown })).status).toBe(204);
          expect(await (await vault.ask('GET', url)).text()).toBe(text.replace(/^\uFEFF/, ''));
        },
      ),
      { numRuns: rounds(20, 60) },
    );
  });
});

describe('a write is complete, ordered and durable', () => {
  it('with 100 concurrent appends: nothing is lost (EMB-004)', async () => {
    const lines = Array.from({ length: 100 }, (_, number) => `line ${number}`);
    const answers = await Promise.all(
      lines.map((body) => vault.ask('POST', '/vault/log.md', { body, headers: markdown })),
    );
    expect(answers.every(({ status }) => status === 204)).toBe(true);
    const stored = String(await vault.read('log.md')).split('\n');
    expect(stored).toHaveLength(100);
    expect(new Set(stored)).toEqual(new Set(lines));
  });

  it('with 100 concurrent patches of several kinds: nothing is lost (EMB-004)', async () => {
    await vault.ask('PUT', '/vault/p.md', { body: '---\nlist: []\n---\n# A\n', headers: markdown });
    const json = { 'Content-Type': 'application/json' };
    await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        number % 2 === 0
          ? vault.ask('PATCH', '/vault/p.md', {
              body: `- ${number}\n`,
              headers: patchHeaders('append', 'heading', 'A'),
            })
          : vault.ask('PATCH', '/vault/p.md', {
              body: `[${number}]`,
              headers: patchHeaders('append', 'frontmatter', 'list', json),
            }),
      ),
    );
    const text = String(await vault.read('p.md'));
    expect(text.match(/^- \d+$/gm)).toHaveLength(50);
    const note = await vault.ask('GET', '/vault/p.md', { headers: { Accept: 'application/vnd.vault.note+json' } });
    const { frontmatter }: { frontmatter: { list: number[] } } = JSON.parse(await note.text());
    expect(frontmatter.list).toHaveLength(50);
  });

  it('if the server is killed at any point of writing: a note is the old or the new one (EMB-003)', async () => {
    const path = join(vault.folder, 'note.md');
    const [small, large] = ['a'.repeat(10), 'b'.repeat(3_000_000)];
    await writeFile(path, small);
    for (let round = 0; round < 12; round += rounds(3, 1)) {
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', writerScript, path, small, String(large.length)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      await once(child.stdout, 'data');
      for (let turn = 0; turn < round * 40; turn += 1) await new Promise(setImmediate);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const text = await readFile(path, 'utf8');
      expect(text === small || text === large, `${text.length} bytes`).toBe(true);
    }
    const again = await openTestVault({ folder: vault.folder });
    expect(await readdir(vault.folder)).toEqual(['note.md']);
    await again.close();
  });
});

const writerScript = `
  import { writeFileAtomically } from '#infrastructure/files/atomic-file.ts';
  const [path, small, length] = process.argv.slice(1);
  const contents = [Buffer.alloc(Number(length), 'b'), Buffer.from(small)];
  for (let turn = 0; ; turn += 1) {
    await writeFileAtomically(path, contents[turn % 2]);
    if (turn === 0) process.stdout.write('writing');
  }
`;
