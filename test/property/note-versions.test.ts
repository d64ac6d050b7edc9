import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { rounds } from '#test/support/form.ts';

// Whatever apps and people do to a note, a version that is listed as known is the text that the note had then.

let world: UndoApp;
let app: string;
let number = 0;

beforeAll(async () => {
  world = await UndoApp.start();
  app = await world.app({ name: 'Scribe' });
});
afterAll(() => world.stop());

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'ä', ''), { maxLength: 5 }).map((all) => all.join('\n'));
/** Long enough that it is not kept whole. */
const tail = `\n${'a line that stays\n'.repeat(4_000)}`;
const text = fc.tuple(lines, fc.boolean()).map(([start, isLong]) => (isLong ? start + tail : start));
const step = fc.oneof(
  { weight: 4, arbitrary: text.map((content) => ({ kind: 'write', content }) as const) },
  { weight: 2, arbitrary: text.map((content) => ({ kind: 'hand', content }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restore' } as const) },
);
const listed = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), change: z.string(), restorable: z.boolean(), since: z.string().optional() }),
  ),
});

it('a version that is listed as known is the text that the note had then (VER-013)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
      number += 1;
      const path = `Random/Note ${number}.md`;
      const place = join(world.server.dataDir, 'vault', path);
      const current = () => readFile(place, 'utf8').catch(() => null);
      const before: (string | null)[] = [];
      await world.made(app, 'vault_note_write', { path, content: 'first' });
      for (const one of steps) {
        const was = await current();
        if (one.kind === 'hand') {
          if (was === null) continue;
          await writeFile(place, one.content);
          const then = new Date(Date.now() - 1_000);
          await utimes(place, then, then);
          continue;
        }
        const isDone =
          one.kind === 'write'
            ? await world.call(app, 'vault_note_write', { path, content: one.content, mode: 'overwrite' })
            : await world.call(app, one.kind === 'delete' ? 'vault_note_delete' : 'vault_note_restore', { path });
        if (!isDone.isError) before.unshift(was);
      }
      const { data } = listed.parse(await world.made(app, 'vault_note_versions', { path, limit: 100 }));
      const versions = data.slice(0, -1);
      expect(data.at(-1)?.change).toBe('made');
      expect(versions).toHaveLength(before.length);
      for (const [index, { id, restorable, change }] of versions.entries()) {
        const { isError, data: answer } = await world.call(app, 'vault_note_restore', { path, version: id, dry: true });
        expect([index, isError]).toEqual([index, !restorable]);
        if (!restorable) {
          expect(['conflict', 'rejected']).toContain(answer['reason']);
          expect(change === 'made' || (before[index]?.length ?? 0) > 64 * 1024).toBe(true);
          continue;
        }
        await world.made(app, 'vault_note_restore', { path, version: id });
        expect(await current()).toBe(before[index]);
        // What was restored is a change itself; the note is again as it was found.
        await world.made(app, 'workspace_undo', { activity: await world.latest(app) });
      }
    }),
    { numRuns: rounds(4, 60), seed: 29 },
  );
});
