import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Clause, holdsIn, keyOf, modesOf } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import { ConfigFault, readConfig } from '#test/kit/config.ts';
import { junitOf } from '#test/kit/junit.ts';
import { notFromOutside } from '#test/kit/not-from-outside.ts';
import { openKit } from '#test/kit/open.ts';
import { isGood, reportOf, tableOf } from '#test/kit/report.ts';
import { type Result, runClauses } from '#test/kit/run.ts';
import { isProven, selfTest, selfTestText } from '#test/kit/self-test/run.ts';
import { tapOf } from '#test/kit/tap.ts';

const usage = `Tests a server of the interface from outside.

  portolan-contract --config target.json [--report out.json] [--junit out.xml] [--tap] [--only CODE,SALES-002/deals.merge] [--verbose]
  portolan-contract --list
  portolan-contract --self-test --config target.json

  --config   the JSON file that describes the target (docs/contract-suite.md); in a clone without it, npm start
  --report   writes each clause's outcome to a JSON file
  --junit    writes it as JUnit XML
  --tap      prints TAP instead of a table
  --only     runs these sections, clauses or checks only, comma separated
  --verbose  prints each check as it ends
  --list     prints every check with its level and modes, and what cannot be seen from outside
  --self-test  plants faults before the target, and demands that each is seen
`;

/** The target of this clone: `npm start` over a folder of its own. */
const ownTarget = join(import.meta.dirname, 'targets', 'portolan.json');

try {
  process.exitCode = await run();
} catch (error) {
  const isSaid =
    error instanceof ConfigFault || (error instanceof Error && 'code' in error && /ARGS/.test(String(error.code)));
  process.stderr.write(
    `${isSaid ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      report: { type: 'string' },
      junit: { type: 'string' },
      tap: { type: 'boolean' },
      only: { type: 'string' },
      list: { type: 'boolean' },
      'self-test': { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.list === true) {
    print(allClauses.map(lineOf).join('\n'));
    print(notFromOutside.map(({ id, reason }) => `${id}  not visible from outside: ${reason}`).join('\n'));
    return 0;
  }
  const source = values.config ?? (existsSync(ownTarget) ? ownTarget : undefined);
  if (values['self-test'] === true && source === undefined) {
    throw new ConfigFault(
      '--self-test needs --config target.json: the target of a clone does not come with the package.',
    );
  }
  if (values.help === true || source === undefined) {
    print(usage);
    return values.help === true ? 0 : 2;
  }
  const config = readConfig(source, new Set(allClauses.flatMap((clause) => [keyOf(clause), clause.id])));
  const isVerbose = values.verbose === true && values.tap !== true;
  if (values['self-test'] === true) {
    const tested = await selfTest(config, ({ name, seen, unseen }) => {
      print(`${unseen.length === 0 ? 'seen' : 'NOT SEEN'}  ${name}`);
      if (isVerbose) for (const line of seen) print(`    ${line}`);
    });
    print(selfTestText(tested));
    return isProven(tested) ? 0 : 1;
  }
  const startedAt = new Date();
  const { kit, close } = await openKit(config);
  try {
    const onResult = (result: Result): void =>
      isVerbose
        ? print(`${result.outcome.padEnd(17)}${String(result.ms).padStart(6)} ms  ${result.key}  ${result.text}`)
        : undefined;
    const wanted = chosen(values.only);
    const results = await runClauses(
      kit,
      wanted.filter((clause) => holdsIn(clause, config.modes)),
      onResult,
    );
    const report = reportOf({
      target: kit.baseUrl,
      startedAt,
      results,
      expected: config.expectedFailures,
      otherModes: wanted.filter((clause) => !holdsIn(clause, config.modes)),
    });
    if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`);
    if (values.junit !== undefined) writeFileSync(values.junit, junitOf(report));
    print(values.tap === true ? tapOf(report) : tableOf(report));
    return isGood(report) ? 0 : 1;
  } finally {
    await close();
  }
}

/** The clauses that `--only` names: by section, id or key. */
function chosen(only: string | undefined): readonly Clause[] {
  if (only === undefined) return allClauses;
  const names = only.split(',').map((name) => name.trim());
  const isNamed = (clause: Clause, name: string): boolean =>
    [keyOf(clause), clause.id, clause.id.split('-')[0]].includes(name);
  const unknown = names.filter((name) => !allClauses.some((clause) => isNamed(clause, name)));
  if (unknown.length > 0) {
    throw new ConfigFault(unknown.map((name) => `--only: ${name} names no clause; --list prints them.`).join('\n'));
  }
  return allClauses.filter((clause) => names.some((name) => isNamed(clause, name)));
}

function lineOf(clause: Clause): string {
  const modes = modesOf(clause);
  return `${keyOf(clause)}  ${clause.level}  ${modes === '' ? '' : `(${modes})  `}${clause.text}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
