import { Mismatch, Skipped } from '#test/kit/checks.ts';
import { type Clause, keyOf, modesOf, sectionOf } from '#test/kit/clause.ts';
import { isDemanded, levelOf } from '#test/kit/config.ts';
import { causeOf, type Exchange, forgetExchanges, masked, quoted } from '#test/kit/exchanges.ts';
import type { Kit } from '#test/kit/kit.ts';

/** The outcome of a clause. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'expected-failure';

/**
 * A clause and its outcome. `message` says why it did not pass, null if it did; `cause` is what it has in common with other failures, null if
 * it did not fail. `modes` are those in which it holds, empty for all.
 */
export type Result = Readonly<{
  key: string;
  section: string;
  level: string;
  modes: string;
  text: string;
  outcome: Outcome;
  message: string | null;
  cause: string | null;
  ms: number;
}>;

/** How long one clause may take until it counts as one that never ends. */
const clauseWithinMs = 900_000;

/** Runs clauses in sequence; `report` is called with each result. */
export async function runClauses(
  kit: Kit,
  clauses: readonly Clause[],
  report: (result: Result) => void = () => {},
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const clause of clauses) {
    const startedAt = performance.now();
    forgetExchanges();
    const { outcome, message, exchange } = await judged(kit, clause);
    const said = message === null ? null : masked(message);
    const isExpected = outcome === 'failed' && isListed(kit.config.expectedFailures, clause);
    const result: Result = {
      key: keyOf(clause),
      section: sectionOf(clause),
      level: clause.level,
      modes: modesOf(clause),
      text: clause.text,
      outcome: isExpected ? 'expected-failure' : outcome,
      message: said === null || exchange === null ? said : `${said}; ${quoted(exchange)}`,
      cause: outcome === 'failed' && said !== null ? causeOf(exchange, said) : null,
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

type Judged = Readonly<{
  outcome: Exclude<Outcome, 'expected-failure'>;
  message: string | null;
  exchange: Exchange | null;
}>;

const skip = (message: string): Judged => ({ outcome: 'skipped', message, exchange: null });

async function judged(kit: Kit, clause: Clause): Promise<Judged> {
  const level = levelOf(kit.config);
  if (!isDemanded(clause.level, level))
    return skip(`the interface leaves it open, and the config’s level is ${level}, not ${clause.level}`);
  try {
    for (const need of clause.needs) {
      const lack = await kit.lack(need);
      if (lack !== null) return skip(lack);
    }
    await within(clause.run(kit));
    return { outcome: 'passed', message: null, exchange: null };
  } catch (error) {
    if (error instanceof Skipped) return skip(error.message);
    if (error instanceof Mismatch) return { outcome: 'failed', message: error.message, exchange: error.exchange };
    const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { outcome: 'failed', message: thrown.split('\n').slice(0, 3).join(' '), exchange: null };
  }
}

async function within(running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Mismatch(`an end within ${clauseWithinMs / 1000} s`, 'none')), clauseWithinMs);
  });
  await Promise.race([running, late]).finally(() => clearTimeout(timer));
}
