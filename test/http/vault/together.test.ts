import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKey } from '#test/support/vault/embedded-vault-server.ts';
import { openOlderVault } from '#test/support/vault/vault-front.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

const numbers = Array.from({ length: 50 }, (_, number) => number);

// The vault's tools, called by many at once: nothing that anybody wrote is lost.
describe.each([
  ['a server that knows conditions', () => openVaultGateway()],
  ['an older server, which ignores them', async () => openVaultGateway('neutral', await openOlderVault())],
] as const)('concurrent callers, with %s', (_, openIt) => {
  let open: Awaited<ReturnType<typeof openVaultGateway>>;
  const call = (name: string, input: unknown) => open.call(name, input);
  const tags = async () => {
    const read = await call('tags.list', { path: 'A.md' });
    return read.ok ? JSON.stringify(read.data) : read.message;
  };

  beforeEach(async () => {
    open = await openIt();
    await writeFile(join(open.vault.folder, 'A.md'), '---\ntags: [kept]\n---\ntext\n');
  });
  afterEach(() => open.close());

  it('add 50 tags to one note: all are there, each once (EMB-004)', async () => {
    const done = await Promise.all(numbers.map((n) => call('tags.add', { path: 'A.md', tags: [`t${n}`] })));
    expect(done.every(({ ok }) => ok)).toBe(true);
    const text = await readFile(join(open.vault.folder, 'A.md'), 'utf8');
    for (const tag of ['kept', ...numbers.map((n) => `t${n}`)]) {
      expect(text.match(new RegExp(`\\b${tag}\\b`, 'g')), tag).toHaveLength(1);
    }
    expect(text).toMatch(/\n---\ntext\n$/);
  });

  it('add the same tag 50 times: it is there once', async () => {
    await Promise.all(numbers.map(() => call('tags.add', { path: 'A.md', tags: ['same'] })));
    expect((await tags()).match(/same/g)).toHaveLength(1);
  });

  it('add and remove at once, and leave the tags that nobody removed', async () => {
    await Promise.all(
      numbers.map((n) =>
        n % 2 === 0
          ? call('tags.add', { path: 'A.md', tags: [`t${n}`] })
          : call('tags.remove', { path: 'A.md', tags: ['kept'] }),
      ),
    );
    const after = await tags();
    expect(after).not.toContain('kept');
    for (const n of numbers.filter((each) => each % 2 === 0)) expect(after).toContain(`"t${n}"`);
  });
});

it('the older server returns no version', async () => {
  const vault = await openOlderVault();
  await writeFile(join(vault.folder, 'A.md'), 'text');
  const headers = { Authorization: `Bearer ${apiKey}`, Accept: 'application/vnd.vault.note+json' };
  const note = await fetch(`${vault.url}/vault/A.md`, { headers });
  expect(Object.keys(JSON.parse(await note.text())).sort()).toEqual([
    'backlinks',
    'content',
    'frontmatter',
    'links',
    'path',
    'stat',
    'tags',
  ]);
  expect(note.headers.get('ETag')).toBe(null);
  await vault.close();
});

describe('conditions on the embedded vault', () => {
  let open: Awaited<ReturnType<typeof openVaultGateway>>;
  const markdown = { 'Content-Type': 'text/markdown' };
  const put = (headers: Record<string, string>, body = 'new') =>
    open.vault.ask('PUT', '/vault/A.md', { body, headers: { ...markdown, ...headers } });
  const tagOf = async () => (await open.vault.ask('GET', '/vault/A.md')).headers.get('ETag') ?? '';

  beforeEach(async () => {
    open = await openVaultGateway();
  });
  afterEach(() => open.close());

  it('let one of 50 callers create a note with the tool, and report to the others that it exists', async () => {
    const done = await Promise.all(numbers.map((n) => open.call('notes.write', { path: 'A.md', content: `by ${n}` })));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = done.findIndex(({ ok }) => ok);
    expect(await open.vault.read('A.md')).toBe(`by ${winner}`);
    expect(done.filter((each) => !each.ok && each.reason === 'conflict')).toHaveLength(49);
  });

  it('with If-None-Match: * create a note, and refuse an existing one with 412 and code 41200', async () => {
    expect((await put({ 'If-None-Match': '*' }, 'first')).status).toBe(204);
    const again = await put({ 'If-None-Match': '*' }, 'second');
    expect(again.status).toBe(412);
    expect(await again.json()).toMatchObject({ errorCode: 41200 });
    expect(await open.vault.read('A.md')).toBe('first');
  });

  it('use the version that a write returns, which reading returns, too, also as note JSON', async () => {
    const written = (await put({}, 'first')).headers.get('ETag');
    expect(written).toMatch(/^"[0-9a-f]+"$/);
    expect(await tagOf()).toBe(written);
    const note = await open.vault.ask('GET', '/vault/A.md', { headers: { Accept: 'application/vnd.vault.note+json' } });
    expect(`"${JSON.parse(await note.text()).version}"`).toBe(written);
  });

  it.each(['PUT', 'POST', 'DELETE', 'PATCH'])(
    'refuse %s with the previous version, and change nothing (EMB-013)',
    async (method) => {
      await put({}, 'first');
      const before = await tagOf();
      await put({}, '# A\n\nsecond\n');
      const patch = { Operation: 'append', 'Target-Type': 'heading', Target: 'A' };
      const headers = { ...markdown, 'If-Match': before, ...(method === 'PATCH' ? patch : {}) };
      const answer = await open.vault.ask(method, '/vault/A.md', {
        headers,
        ...(method === 'DELETE' ? {} : { body: 'x' }),
      });
      expect(answer.status).toBe(412);
      expect(await open.vault.read('A.md')).toBe('# A\n\nsecond\n');
    },
  );

  it.each(['PUT', 'POST', 'DELETE'])('accept %s with the current version (EMB-013)', async (method) => {
    await put({}, 'first');
    const headers = { ...markdown, 'If-Match': await tagOf() };
    const answer = await open.vault.ask(method, '/vault/A.md', {
      headers,
      ...(method === 'DELETE' ? {} : { body: 'x' }),
    });
    expect(answer.status).toBe(204);
  });

  it('accept exactly one of two concurrent writes with one version', async () => {
    await put({}, 'first');
    const headers = { 'If-Match': await tagOf() };
    const both = await Promise.all([put(headers, 'one'), put(headers, 'two')]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([204, 412]));
  });

  it.each([
    ['If-Match', '"000000"', 412],
    ['If-Match', 'W/"000000"', 412],
    ['If-Match', '*', 412],
    ['If-None-Match', '"000000", , "1"', 204],
    ['If-Match', 'W/unquoted', 400],
    ['If-Match', '', 400],
    ['If-None-Match', '"open', 400],
  ])('answer, on a missing note %s: %s with %i', async (header, value, status) => {
    expect((await put({ [header]: value })).status).toBe(status);
  });

  it("answer GET with the reader's version with 304", async () => {
    await put({}, 'first');
    const headers = { 'If-None-Match': await tagOf(), 'Cache-Control': 'max-age=0' };
    expect((await open.vault.ask('GET', '/vault/A.md', { headers })).status).toBe(304);
  });
});
