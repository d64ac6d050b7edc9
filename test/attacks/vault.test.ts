import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget, type Target } from '#test/attacks/target.ts';

let target: Target;
let folder: string;
beforeAll(async () => {
  target = await openTarget();
  folder = join(target.dataDir, 'vault');
  await mkdir(folder, { recursive: true });
  await writeFile(join(target.dataDir, 'secret.md'), 'a secret next to the vault');
  await symlink(join(target.dataDir, 'secret.md'), join(folder, 'link.md'));
  await symlink(target.dataDir, join(folder, 'out'));
});
afterAll(async () => {
  expect(target.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
});

const rest = (method: string, path: string, body?: string) =>
  target.call(method, `/api/vault/vault/${path}`, {
    token: target.admin,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/markdown' } }),
  });

/** Ways to name what lies outside the folder, or within it and is nobody's business. */
const outside = [
  '../secret.md',
  '..%2fsecret.md',
  '%2e%2e/secret.md',
  '%2e%2e%2fsecret.md',
  '%252e%252e%252fsecret.md',
  '..%5csecret.md',
  '..%255csecret.md',
  'a/../../secret.md',
  'a/%2e%2e/%2e%2e/secret.md',
  './../secret.md',
  '.../secret.md',
  '....//secret.md',
  '..;/secret.md',
  '..%00/secret.md',
  '%c0%ae%c0%ae/secret.md',
  '%u002e%u002e/secret.md',
  '%ef%bc%8e%ef%bc%8e/secret.md',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  '//etc/passwd',
  'file:///etc/passwd',
  'C:%5cWindows%5cwin.ini',
  '~/secret.md',
  'secret.md%00.md',
  '../secret.md%00',
  'link.md',
  'out/secret.md',
  'out/portolan.sqlite',
  '../secret_key_base',
  'out/secret_key_base',
];

describe('a path out of the vault (EMB-002)', () => {
  it.each(outside)('%s is not read, written or deleted over REST', async (path) => {
    const read = await rest('GET', path);
    expect(read.status).toBeGreaterThanOrEqual(400);
    expect(read.status).toBeLessThan(500);
    expect(read.text).not.toContain('a secret next to the vault');
    for (const answer of [await rest('PUT', path, 'overwritten'), await rest('DELETE', path)]) {
      expect(answer.status).toBeLessThan(500);
    }
    expect(await readFile(join(target.dataDir, 'secret.md'), 'utf8')).toBe('a secret next to the vault');
    await stat(join(target.dataDir, 'portolan.sqlite'));
    await stat(join(target.dataDir, 'secret_key_base'));
  });

  it.each(outside)('%s is not read or written by a tool', async (path) => {
    const name = decodedOrItself(path);
    expect(await target.tool(target.admin, 'vault_note_read', { path: name })).not.toContain('a secret next to');
    await target.tool(target.admin, 'vault_note_write', { path: name, content: 'overwritten', mode: 'overwrite' });
    await target.tool(target.admin, 'vault_note_delete', { path: name });
    expect(await readFile(join(target.dataDir, 'secret.md'), 'utf8')).toBe('a secret next to the vault');
  });
});

describe('a dot-file or a dot-folder (EMB-002)', () => {
  it.each(['.env', 'a/.htaccess', '.git/config', '.obsidian/plugins/x/main.js', '.md', 'a/.b/c.md', '%2eenv'])(
    '%s is neither written nor read',
    async (path) => {
      const written = await rest('PUT', path, 'evil');
      expect(written.status).toBeGreaterThanOrEqual(400);
      expect(written.status).toBeLessThan(500);
      await expect(stat(join(folder, decodedOrItself(path)))).rejects.toThrow('ENOENT');
      expect((await rest('GET', path)).status).toBeGreaterThanOrEqual(400);
    },
  );
});

const bomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
].join('\n');

describe('a note that is hard to parse', () => {
  it.each([
    ['an alias bomb', `---\n${bomb}\n---\ntext`],
    ['a key called __proto__', '---\n__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\n---\n'],
    ['broken YAML', '---\na: [\n---\n'],
    ['NUL', '---\na: "\\0"\n---\n\0'],
  ])('%s causes no server error, and changes nothing else', async (name, text) => {
    await writeFile(join(folder, `${name}.md`), text);
    for (const query of ['', '?format=note', '?format=document_map']) {
      expect((await rest('GET', `${encodeURIComponent(name)}.md${query}`)).status).toBeLessThan(500);
    }
    for (const tool of ['vault_frontmatter_get', 'vault_tags_list']) {
      expect(await target.tool(target.admin, tool, { path: `${name}.md` })).not.toContain('-32603');
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

const doubling = (depth: number): unknown =>
  depth === 0 ? [1, 2, 3, 4] : { merge: [doubling(depth - 1), doubling(depth - 1)] };
const cat = (depth: number): unknown => (depth === 0 ? 'xxxx' : { cat: [cat(depth - 1), cat(depth - 1)] });

describe('an expensive search', () => {
  it.each([
    ['merge that doubles', doubling(13)],
    ['text that doubles', cat(13)],
    ['a pattern that backtracks', { regexp: ['(a+)+$', 'a'.repeat(40)] }],
    ['constructor as an operator', { constructor: [1] }],
    ['__proto__ as a variable', { var: '__proto__.polluted' }],
    ['a method of a text', { method: ['x', 'constructor', ['return process']] }],
  ])('by %s is answered without a 5xx', async (_, query) => {
    const text = await target.tool(target.admin, 'vault_search_advanced', { query });
    expect(text).not.toMatch(/-32603|"status":50|Internal/);
    expect((await target.call('GET', '/healthz')).status).toBe(200);
  });
});

function decodedOrItself(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
