import { Mismatch, Skipped } from '#test/kit/checks.ts';
import { type Clause, keyOf, sectionOf } from '#test/kit/clause.ts';
import type { Kit } from '#test/kit/kit.ts';

/** The outcome of a clause. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'expected-failure';

/** A clause and its outcome; `message` says why it did not pass, null if it did. */
export type Result = Readonly<{
  key: string;
  section: string;
  level: string;
  text: string;
  outcome: Outcome;
  message: string | null;
  ms: number;
}>;

/** How long one clause may take. */
const clauseWithinMs = 180_000;

/** Runs clauses in sequence; `report` is called with each result. */
export async function runClauses(
  kit: Kit,
  clauses: readonly Clause[],
  report: (result: Result) => void = () => {},
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const clause of clauses) {
    const startedAt = performance.now();
    const [outcome, message] = await judged(kit, clause);
    const isExpected = outcome === 'failed' && isListed(kit.config.expectedFailures, clause);
    const result: Result = {
      key: keyOf(clause),
      section: sectionOf(clause),
      level: clause.level,
      text: clause.text,
      outcome: isExpected ? 'expected-failure' : outcome,
      message,
      ms: Math.round(performance.now() - startedAt),
    };
    results.push(result);
    report(result);
  }
  return results;
}

/** Whether a list of expected failures contains a clause, by its key, or by its id for all its checks. */
export function isListed(expected: readonly string[], clause: Pick<Clause, 'id' | 'variant'>): boolean {
  return expected.includes(keyOf(clause)) || expected.includes(clause.id);
}

async function judged(
  kit: Kit,
  clause: Clause,
): Promise<readonly [Exclude<Outcome, 'expected-failure'>, string | null]> {
  if (clause.level === 'portolan' && !kit.hasExtension) {
    return ['skipped', 'the interface leaves it open, and the config does not name the extension portolan'];
  }
  try {
    for (const need of clause.needs) {
      const lack = await kit.lack(need);
      if (lack !== null) return ['skipped', lack];
    }
    await within(clause.run(kit));
    return ['passed', null];
  } catch (error) {
    if (error instanceof Skipped) return ['skipped', error.message];
    if (error instanceof Mismatch) return ['failed', error.message];
    return [
      'failed',
      error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error),
    ];
  }
}

async function within(running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Mismatch(`an end within ${clauseWithinMs / 1000} s`, 'none')), clauseWithinMs);
  });
  await Promise.race([running, late]).finally(() => clearTimeout(timer));
}
