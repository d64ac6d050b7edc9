import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { UndoApp } from '#test/support/changes/undo-app.ts';

const tools = z.object({
  result: z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) }),
});

/** What the tool that deletes notes says of itself. */
async function descriptionAt(world: UndoApp, token: string): Promise<string | undefined> {
  const answer = await fetch(`${world.server.origin}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = tools.parse(JSON.parse((await answer.text()).replace(/^[^{]*/, '')));
  return result.tools.find(({ name }) => name === 'vault_note_delete')?.description;
}

const remove = (world: UndoApp, token: string, path: string, query = '') =>
  fetch(`${world.server.origin}/api/vault/vault/${path}${query}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });

it.each([
  ['7', /vault_note_restore brings it back/, true, /stays in the trash for 7 days/],
  ['0', /for good/, false, /deleted for good/],
])(
  'with UNDO_DAYS=%s the tool, its dry run and its answer say where a note goes (VER-009)',
  async (days, of, canBeTakenBack, said) => {
    const world = await UndoApp.start({ UNDO_DAYS: days });
    try {
      const token = await world.app({ name: 'Scribe' });
      expect(await descriptionAt(world, token)).toMatch(of);
      const folder = join(world.server.dataDir, 'vault');
      for (const path of ['A.md', 'B.md']) await writeFile(join(folder, path), `text of ${path}`);
      const dry = await world.made(token, 'vault_note_delete', { path: 'A.md', dry: true });
      expect(dry).toMatchObject({ can_be_taken_back: canBeTakenBack });
      if (!canBeTakenBack) expect(dry['why_not']).toMatch(said);
      const other = await world.made(token, 'vault_note_write', {
        path: 'A.md',
        content: 'x',
        mode: 'overwrite',
        dry: true,
      });
      expect(other).toMatchObject({ can_be_taken_back: canBeTakenBack });
      expect(await readFile(join(folder, 'A.md'), 'utf8')).toBe('text of A.md');
      expect(await (await remove(world, token, 'A.md')).json()).toMatchObject({
        warnings: [expect.stringMatching(said)],
      });
      await world.made(token, 'vault_note_delete', { path: 'B.md' });
      const trash = await readdir(join(folder, '.trash/portolan')).catch(() => []);
      expect(trash).toHaveLength(canBeTakenBack ? 2 : 0);
      expect(await readdir(folder)).not.toContain('A.md');
    } finally {
      await world.stop();
    }
  },
);
