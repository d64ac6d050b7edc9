import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UndoApp } from '#test/support/changes/undo-app.ts';

let world: UndoApp;
let app: string;

beforeAll(async () => {
  world = await UndoApp.start();
  app = await world.app({ name: 'Scribe' });
});
afterAll(() => world.stop());

const path = 'Acme.md';
const place = () => join(world.server.dataDir, 'vault', path);
const text = () => readFile(place(), 'utf8');
const before = '---\ntags:\n  - a\n---\n\n# Acme\r\n\n## Log\n\n- one\n\n## Next\n\n- two';

it.each([
  ['vault_note_write', { content: 'other', mode: 'overwrite' }],
  ['vault_note_patch', { target: 'Log', content: '- more' }],
  ['vault_note_delete', {}],
  ['vault_tags_add', { tags: ['b'] }],
  ['vault_frontmatter_set', { key: 'stage', value: 'won' }],
  ['vault_note_replace', { find: 'one', replace: '1' }],
])('%s in the team’s vault is shown, made, and taken back by its app (UNDO-050, VER-001)', async (name, args) => {
  await writeFile(place(), before);
  const dry = await world.made(app, name, { path, ...args, dry: true });
  expect(dry).toMatchObject({ dry: true, can_be_taken_back: true, changes: [{ path }] });
  expect(await text()).toBe(before);
  await world.made(app, name, { path, ...args });
  await expect(text().catch(() => null)).resolves.not.toBe(before);
  expect(await world.made(app, 'workspace_undo', { activity: await world.latest(app) })).toMatchObject({
    taken_back: true,
  });
  expect(await text()).toBe(before);
});

it('an edit by hand in between stays (VER-002)', async () => {
  await writeFile(place(), before);
  await world.made(app, 'vault_note_patch', { path, target: 'Log', content: '- more' });
  await writeFile(place(), `${await text()}\n- by hand\n`);
  await world.made(app, 'workspace_undo', { activity: await world.latest(app) });
  expect(await text()).toBe(`${before}\n- by hand\n`);
});
