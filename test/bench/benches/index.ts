import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from '#test/bench/bench.ts';
import { fillVault } from '#test/bench/deliveries.ts';
import type { IndexFigures } from '#test/bench/indexed-vault.ts';

/** The index of a vault of BENCH_NOTES (50,000) notes: at a first start, at the next one, and finds in it; beside reading all notes once. */
export const bench: Bench = {
  name: 'index',
  run: async () => [],
  measure: async () => {
    const notes = Number(process.env['BENCH_NOTES'] ?? 50_000);
    const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
    try {
      await fillVault(join(folder, 'vault'), notes);
      const asked = [join(folder, 'vault'), join(folder, 'vault-index.jsonl')];
      const baseline = (await inChild([...asked, 'read'])).firstCpuMs;
      const first = await inChild([...asked, 'index']);
      const next = await inChild([...asked, 'index']);
      const ms = (figure: string, value: number | null, beside: number | null = null): Figure => ({
        figure,
        unit: 'ms',
        value,
        baseline: beside,
      });
      return [
        ms('first start, processor time until a note is found', first.firstCpuMs, baseline),
        ms('next start, processor time until a note is found', next.firstCpuMs, baseline),
        ms('a note found by its frontmatter, median', next.finds?.median ?? null),
        ms('a note found by its frontmatter, slowest of a hundred', next.finds?.p99 ?? null),
        ms('a note found by its frontmatter, processor time', next.finds?.meanCpu ?? null),
        ms('first simple search after a start, which reads the texts', next.searches?.[0] ?? null),
        ms('simple search after that', next.searches?.[1] ?? null),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function inChild(words: readonly string[]): Promise<IndexFigures> {
  const child = fork(fileURLToPath(new URL('../indexed-vault.ts', import.meta.url)), words);
  const [figures] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof figures !== 'object') throw new Error('The vault of the bench ended without figures');
  return figures;
}
