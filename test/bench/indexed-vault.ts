import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '#application/ports/logger.ts';
import { startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/*
 * What the index of a vault takes. A child process: it receives a folder of notes, where the index is saved, and what to do, `read` for
 * the baseline; it answers with an `IndexFigures`.
 */

/** Processor time and times by the clock, in ms; the finds are null in the baseline. */
export type IndexFigures = Readonly<{
  /** Processor time until a first note was found by its frontmatter; in the baseline, until all notes were read. */
  firstCpuMs: number;
  finds: Readonly<{ median: number; p99: number; meanCpu: number }> | null;
  /** The first simple search, which reads the texts, and the next one. */
  searches: readonly [number, number] | null;
}>;

const [folder = '', savedIndex = '', what = ''] = process.argv.slice(2);
const finds = 1_000;
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

process.send?.(what === 'read' ? await baseline() : await measured());
process.exit(0);

async function baseline(): Promise<IndexFigures> {
  const before = process.cpuUsage();
  for (const below of await readdir(folder, { recursive: true })) {
    if (below.endsWith('.md')) await readFile(join(folder, below), 'utf8');
  }
  return { firstCpuMs: cpuSince(before), finds: null, searches: null };
}

async function measured(): Promise<IndexFigures> {
  const before = process.cpuUsage();
  const vault = await startEmbeddedVault({
    folder,
    listen: null,
    clock: systemClock,
    logger: silent,
    savedIndex,
  });
  const find = async (n: number): Promise<void> => {
    const found = await vault.vault.searchByRule(
      JSON.stringify({ '===': [{ var: 'frontmatter.tracker_id' }, `old-${n}`] }),
    );
    const isFound = found.ok && found.value.some(({ filename }) => filename.includes(`OLD-${n} Issue.md`));
    if (!isFound) throw new Error(`The note of old-${n} was not found: ${JSON.stringify(found)}`);
  };
  await find(1);
  const firstCpuMs = cpuSince(before);
  const times: number[] = [];
  const beforeFinds = process.cpuUsage();
  for (let n = 0; n < finds; n += 1) {
    const begunAt = performance.now();
    await find((n * 7919) % 1_000);
    times.push(performance.now() - begunAt);
  }
  const meanCpu = cpuSince(beforeFinds) / finds;
  const search = async (): Promise<number> => {
    const begunAt = performance.now();
    await vault.vault.searchWords('history');
    return performance.now() - begunAt;
  };
  const searches = [await search(), await search()] as const;
  await vault.close();
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { firstCpuMs, finds: { median: at(0.5), p99: at(0.99), meanCpu }, searches };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
