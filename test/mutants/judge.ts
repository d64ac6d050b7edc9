import { FirstFailure } from '#test/mutants/first-failure.ts';
import type { Mutant } from '#test/mutants/mutant.ts';
import { plantedUrl, urlOf } from '#test/mutants/planted-sources.ts';
import type { JudgedPort } from '#test/mutants/ports.ts';

/** How a mutant fared: the clause that caught it and how, or that none did. */
export type Verdict = Readonly<{ mutant: Mutant; caughtBy: string | null; error: unknown }>;

const pool = 'test/support/persistence/sqlite-pool.ts';
let last = 0;

/** Judges one mutant by its port's suite; null judges the adapter as it is. */
export async function judge(port: JudgedPort, on: string, mutant: Mutant | null): Promise<Omit<Verdict, 'mutant'>> {
  last += 1;
  const name = String(last);
  const isText = mutant !== null && 'file' in mutant;
  const runner = new FirstFailure();
  try {
    const url = isText ? plantedUrl(port.path, name, mutant) : urlOf(port.path, 'none');
    await port.register({ url, on, runner, change: mutant !== null && 'change' in mutant ? mutant.change : null });
    const failed = await runner.run();
    return failed === null ? { caughtBy: null, error: null } : { caughtBy: failed.title, error: failed.error };
  } catch (error) {
    return { caughtBy: 'it cannot be loaded', error };
  } finally {
    if (isText) {
      const { emptyPool }: typeof import('#test/support/persistence/sqlite-pool.ts') = await import(urlOf(pool, name));
      await emptyPool();
    }
  }
}

/** Closes what the adapters as they are have opened. */
export async function endJudging(): Promise<void> {
  const { emptyPool }: typeof import('#test/support/persistence/sqlite-pool.ts') = await import(urlOf(pool, 'none'));
  await emptyPool();
}
