import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

const noon = new Date(2026, 10, 21, 12).getTime();
const note = '# Deal\n\n## History\n\nold\n';

let open: Awaited<ReturnType<typeof openVaultGateway>>;
let app: Awaited<ReturnType<typeof openNotesApp>>['app'];
const call = (name: string, input: unknown) => open.call(name, input);
const text = (path: string) => readFile(join(open.vault.folder, path), 'utf8');
const paths = () => app.sent.map(({ method, path }) => `${method} ${path}`);

async function start(release: string): Promise<void> {
  const { vault, app: started } = await openNotesApp(release);
  app = started;
  open = await openVaultGateway('obsidian', vault, { now: () => noon, timeoutMs: 60_000 });
  await writeFile(join(open.vault.folder, 'A.md'), note);
}
afterEach(() => open.close());

// The vendor's dialect before releases of the notes app's server, each departing as its interface files and source say.
describe.each(['3.4.6', '4.1.7', '5.0.1', '5.1.0', '6.0.0'])('release %s of the notes app server', (release) => {
  beforeEach(() => start(release));

  it('appends text under a heading, also when it already exists', async () => {
    const patch = { path: 'A.md', target: 'History', content: 'new\n' };
    expect(await call('notes.patch_part', patch)).toMatchObject({ ok: true });
    expect(await call('notes.patch_part', patch)).toMatchObject({ ok: true });
    expect((await text('A.md')).match(/^new$/gm)).toHaveLength(2);
  });

  it('sets frontmatter to a text and to any other value', async () => {
    for (const value of ['text', '', 7, true, null, ['a', 'b'], { deep: [1] }]) {
      expect(await call('frontmatter.set', { path: 'A.md', key: 'k', value })).toMatchObject({ ok: true });
      expect(await call('frontmatter.get', { path: 'A.md', key: 'k' })).toMatchObject({ ok: true, data: { k: value } });
    }
  });

  it('adds and removes tags', async () => {
    await call('tags.add', { path: 'A.md', tags: ['a', 'b'] });
    await call('tags.remove', { path: 'A.md', tags: ['a'] });
    expect(await call('tags.list', { path: 'A.md' })).toMatchObject({ ok: true, data: { tags: ['b'] } });
  });

  it('reads and writes the note of a day where the app keeps it, never today instead, and returns its path', async () => {
    const path = ['5.1.0', '6.0.0'].includes(release) ? '2025-02-03.md' : 'Daily/2025-02-03.md';
    await call('periodic.write', { period: 'daily', content: 'today\n' });
    for (const content of ['then\n', 'more\n']) {
      expect(await call('periodic.write', { period: 'daily', date: '2025-02-03', content })).toMatchObject({
        ok: true,
        data: { path, change: 'appended' },
      });
    }
    expect(await call('periodic.read_any', { period: 'daily', date: '2025-02-03' })).toEqual({
      ok: true,
      data: 'then\nmore\n',
      path,
    });
    expect(await text(path)).toBe('then\nmore\n');
  });

  it('writes the note of a day at the top of the vault while the app has no periodic note to infer from', async () => {
    const written = await call('periodic.write', { period: 'daily', date: '2025-02-03', content: 'then\n' });
    expect(written).toMatchObject({ ok: true, data: { path: '2025-02-03.md' } });
  });

  it('reads and writes the current periodic note', async () => {
    expect(await call('periodic.write', { period: 'daily', content: 'today\n' })).toMatchObject({ ok: true });
    expect(await call('periodic.read_any', { period: 'daily' })).toMatchObject({ ok: true, data: 'today\n' });
  });

  it('is asked for its version once', async () => {
    await call('frontmatter.set', { path: 'A.md', key: 'k', value: 1 });
    await call('frontmatter.set', { path: 'A.md', key: 'k', value: 2 });
    expect(paths().filter((each) => each === 'GET /')).toHaveLength(1);
  });
});

it.each(['4.1.7', '5.0.1', '6.0.0'])(
  'release %s does not evaluate DQL, which is reported without a request',
  async (release) => {
    await start(release);
    expect(await call('search.advanced', { query: 'TABLE a', type: 'dql' })).toMatchObject({
      ok: false,
      reason: 'rejected',
      message: expect.stringContaining('JsonLogic'),
    });
    expect(paths()).toEqual(['GET /']);
  },
);

it('release 3 is sent a DQL query', async () => {
  await start('3.4.6');
  await call('search.advanced', { query: 'TABLE a', type: 'dql' });
  expect(app.sent.at(-1)?.headers['content-type']).toBe('application/vnd.olrapi.dataview.dql+txt');
});

it('release 3 is asked to add existing text, unless it is to be refused', async () => {
  await start('3.4.6');
  const patch = { path: 'A.md', operation: 'append', target_type: 'heading', target: 'Deal::History', content: 'old' };
  await call('notes.patch', patch);
  expect(app.sent.at(-1)?.headers).toMatchObject({ 'apply-if-content-preexists': 'true' });
  await call('notes.patch', { ...patch, reject_if_content_preexists: true });
  expect(app.sent.at(-1)?.headers).not.toHaveProperty('apply-if-content-preexists');
});

it('releases before 6 are patched by headers with Markdown-Patch-Version: 1 (VAULT-004)', async () => {
  await start('5.1.0');
  await call('notes.patch', {
    path: 'A.md',
    operation: 'append',
    target_type: 'heading',
    target: 'Deal::50 %',
    create_target_if_missing: true,
    content: 'x',
  });
  expect(app.sent.at(-1)?.headers).toMatchObject({
    'markdown-patch-version': '1',
    operation: 'append',
    'target-type': 'heading',
    target: 'Deal%3A%3A50%20%25',
    'create-target-if-missing': 'true',
  });
});

it('release 6 is patched by an instruction', async () => {
  await start('6.0.0');
  await call('notes.patch', {
    path: 'A.md',
    operation: 'append',
    target_type: 'heading',
    target: 'Deal::History',
    create_target_if_missing: true,
    reject_if_content_preexists: true,
    if_match: '"a1b2c3"',
    content: 'x',
  });
  const { headers, body } = app.sent.at(-1) ?? { headers: {}, body: '' };
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.olrapi.patch-instruction+json',
    'markdown-patch-version': '2',
  });
  expect(JSON.parse(body)).toEqual({
    targetType: 'heading',
    target: ['Deal', 'History'],
    operation: 'append',
    content: 'x',
    createTargetIfMissing: true,
    rejectIfContentPreexists: true,
    ifMatch: 'a1b2c3',
  });
});

it('an update of the notes app while the server runs is noticed: instructions, and periodic notes by their paths', async () => {
  await start('5.0.1');
  expect(await call('frontmatter.set', { path: 'A.md', key: 'k', value: 1 })).toMatchObject({ ok: true });
  app.release = '6.0.0';
  expect(await call('frontmatter.set', { path: 'A.md', key: 'k', value: 2 })).toMatchObject({ ok: true });
  expect(await text('A.md')).toContain('k: 2');
  expect(await call('periodic.write', { period: 'weekly', content: 'week\n' })).toMatchObject({ ok: true });
  expect(await text('2026-W47.md')).toBe('week\n');
});
