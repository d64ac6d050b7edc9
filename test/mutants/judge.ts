import { FirstFailure, patienceWith } from '#test/mutants/first-failure.ts';
import type { Mutant } from '#test/mutants/mutant.ts';
import { plant, urlOf } from '#test/mutants/planted-sources.ts';
import type { JudgedPort } from '#test/mutants/ports.ts';
import { endPostgres, type MutantDatabase, onPostgres, openMutantDatabase } from '#test/mutants/postgres-databases.ts';

/** How a mutant fared: the clause that caught it and how, or that none did. */
export type Verdict = Readonly<{ mutant: Mutant; caughtBy: string | null; error: unknown }>;

const pool = 'test/support/persistence/sqlite-pool.ts';
/** The name of the sources as they are. */
const unchanged = 'none';
let last = 0;
/** How long the longest clause took of each adapter as it is, in ms. */
const usual = new Map<string, number>();

/** Judges one mutant by its port's suite; null judges the adapter as it is, and is first. */
export async function judge(port: JudgedPort, on: string, mutant: Mutant | null): Promise<Omit<Verdict, 'mutant'>> {
  const sources = sourcesOf(mutant);
  const adapter = `${port.port} on ${on}`;
  const usualMs = mutant === null ? undefined : usual.get(adapter);
  const runner = new FirstFailure(usualMs === undefined ? undefined : patienceWith(usualMs));
  let database: MutantDatabase | null = null;
  try {
    const url = urlOf(port.path, sources);
    if (on === onPostgres) database = await openMutantDatabase(sources);
    const change = mutant !== null && 'change' in mutant ? mutant.change : null;
    await port.register({ url, on, runner, change, database });
    const failed = await runner.run();
    if (mutant === null) usual.set(adapter, runner.longestMs);
    return failed === null ? { caughtBy: null, error: null } : { caughtBy: failed.title, error: failed.error };
  } catch (error) {
    return { caughtBy: 'it cannot be loaded', error };
  } finally {
    await database?.close();
    if (sources !== unchanged) await closeFiles(sources);
  }
}

/** Closes what the adapters as they are have opened, and ends the database server. */
export async function endJudging(): Promise<void> {
  await closeFiles(unchanged);
  await endPostgres();
}

/** The name under which the mutant's sources are loaded. */
function sourcesOf(mutant: Mutant | null): string {
  if (mutant === null || !('file' in mutant)) return unchanged;
  last += 1;
  plant(String(last), mutant);
  return String(last);
}

async function closeFiles(sources: string): Promise<void> {
  const { emptyPool }: typeof import('#test/support/persistence/sqlite-pool.ts') = await import(urlOf(pool, sources));
  await emptyPool();
}
