import { allClauses } from '#test/kit/clauses.ts';
import { type PlantedFault, plantedBy } from '#test/planted/fault.ts';
import { namedTests, nearestFirst } from '#test/planted/named-tests.ts';
import { failingOutside } from '#test/planted/outside.ts';
import { type Asked, type Outcome, PlantedTests } from '#test/planted/run-tests.ts';

/** How a fault fared: the test that failed by it and its file, or what is wrong with the fault or with its tests. */
export type Verdict = Readonly<{
  fault: PlantedFault;
  caughtBy: string | null;
  file: string | null;
  wrong: string | null;
}>;

type Pending = Readonly<{ fault: PlantedFault; files: readonly string[] }>;

/** What is judged, how many files run at once, and whether there is time for more; `report` is called with each first verdict. */
export type Judging = Readonly<{
  faults: readonly PlantedFault[];
  workers: number;
  hasTime: () => boolean;
  report: (verdict: Verdict) => void;
}>;

/** How many faults are judged before the time is looked at. */
const atOnce = 8;

/** Judges faults until the time is over; the verdicts, fewer than the faults when it was. */
export async function judgeAll({ faults, workers, hasTime, report }: Judging): Promise<readonly Verdict[]> {
  const named = namedTests();
  const tests = await PlantedTests.open(workers);
  const verdicts: Verdict[] = [];
  try {
    for (let from = 0; from < faults.length && hasTime(); from += atOnce) {
      const pending = faults
        .slice(from, from + atOnce)
        .map((fault) => ({ fault, files: nearestFirst(named.get(fault.clause) ?? [], fault.file) }));
      const judged = await judge(tests, pending);
      judged.forEach(report);
      verdicts.push(...judged);
    }
    return await unplanted(tests, verdicts);
  } finally {
    await tests.close();
  }
}

/** Runs the first file of each, then the next of those that lived, and so on; the contract suite is the last. */
async function judge(tests: PlantedTests, pending: readonly Pending[]): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  let left = pending;
  while (left.length > 0) {
    const outside = left.filter(({ files }) => files.length === 0);
    for (const { fault } of outside) verdicts.push(await judgedOutside(fault));
    const inside = left.filter(({ files }) => files.length > 0);
    const asked = inside.map(({ fault, files }) => ({
      file: files[0] ?? '',
      clauses: [fault.clause],
      planted: plantedBy(fault),
    }));
    const outcomes = await loaded(tests, asked);
    const next: Pending[] = [];
    inside.forEach(({ fault, files }, index) => {
      const [file = '', ...others] = files;
      const verdict = verdictOf(fault, file, outcomes[index]);
      const isLast = others.length === 0 && !isOutside(fault);
      if (verdict !== null) verdicts.push(verdict);
      else if (isLast) verdicts.push({ fault, caughtBy: null, file: null, wrong: 'no test of the clause fails' });
      else next.push({ fault, files: others });
    });
    left = next;
  }
  return verdicts;
}

/** Runs files, and those that could not be loaded once more: a database may have been slow to answer on a busy machine. */
async function loaded(tests: PlantedTests, asked: readonly Asked[]): Promise<readonly Outcome[]> {
  const outcomes = [...(await tests.run(asked))];
  for (const [index, one] of asked.entries()) {
    const isUnloaded = outcomes[index]?.unloaded != null;
    if (isUnloaded) outcomes.splice(index, 1, ...(await tests.run([one])));
  }
  return outcomes;
}

/** The verdict of one file; null when its tests passed. */
function verdictOf(fault: PlantedFault, file: string, outcome: Outcome | undefined): Verdict | null {
  if (outcome === undefined) return null;
  if (outcome.unloaded !== null) {
    return { fault, caughtBy: null, file, wrong: `${file} cannot be loaded with it: ${outcome.unloaded}` };
  }
  const [title] = outcome.failed;
  return title === undefined ? null : { fault, caughtBy: title, file, wrong: null };
}

/** Runs the tests that caught a fault without any, each file once: those that fail then as well have caught nothing. */
async function unplanted(tests: PlantedTests, verdicts: readonly Verdict[]): Promise<readonly Verdict[]> {
  const clausesOf = Map.groupBy(
    verdicts.filter(({ file }) => file !== null),
    ({ file }) => file ?? '',
  );
  const asked = [...clausesOf].map(([file, those]) => ({
    file,
    clauses: those.map(({ fault }) => fault.clause),
    planted: null,
  }));
  const outcomes = await tests.run(asked);
  const failing = new Map(asked.map(({ file }, index) => [file, outcomes[index]]));
  return verdicts.map((verdict) => {
    const failed = failing.get(verdict.file ?? '')?.failed ?? [];
    const isFalse = verdict.caughtBy !== null && failed.includes(verdict.caughtBy);
    return isFalse ? { ...verdict, caughtBy: null, wrong: `"${verdict.caughtBy}" fails without it, too` } : verdict;
  });
}

function isOutside({ clause }: PlantedFault): boolean {
  return allClauses.some(({ id }) => id === clause);
}

async function judgedOutside(fault: PlantedFault): Promise<Verdict> {
  const [key] = await failingOutside(plantedBy(fault), fault.clause);
  if (key === undefined) return { fault, caughtBy: null, file: null, wrong: 'no test of the clause fails' };
  const isFalse = (await failingOutside('', fault.clause)).includes(key);
  const wrong = isFalse ? `the check ${key} fails without it, too` : null;
  return { fault, caughtBy: isFalse ? null : `the contract suite’s ${key}`, file: null, wrong };
}
