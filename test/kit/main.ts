import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Clause, keyOf } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import { type Config, ConfigFault, readConfig } from '#test/kit/config.ts';
import { openKit } from '#test/kit/open.ts';
import { isGood, reportOf, tableOf } from '#test/kit/report.ts';
import { type Result, runClauses } from '#test/kit/run.ts';
import { isProven, selfTest, selfTestText } from '#test/kit/self-test/run.ts';

const usage = `Tests a server of the interface from outside.

  portolan-contract --config target.json [--report out.json] [--only CODE,SALES-002/deals.merge] [--verbose]
  portolan-contract --list
  portolan-contract --self-test --config target.json

  --config   the JSON file that describes the target (docs/contract-suite.md)
  --report   writes each clause's outcome to a JSON file
  --only     runs these sections, clauses or checks only, comma separated
  --verbose  prints each check as it ends
  --list     prints every check
  --self-test  plants faults before the target, and demands that each is seen; in a clone without --config,
               before npm start
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
      only: { type: 'string' },
      list: { type: 'boolean' },
      'self-test': { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.list === true) {
    print(allClauses.map((clause) => `${keyOf(clause)}  ${clause.level}  ${clause.text}`).join('\n'));
    return 0;
  }
  const source = values.config ?? (values['self-test'] === true ? ownTarget : undefined);
  if (values.help === true || source === undefined) {
    print(usage);
    return values.help === true ? 0 : 2;
  }
  if (source === ownTarget && !existsSync(ownTarget)) {
    throw new ConfigFault(
      '--self-test needs --config target.json: the target of a clone does not come with the package.',
    );
  }
  const config = readConfig(source);
  demandKnown(config, source);
  const isVerbose = values.verbose === true;
  if (values['self-test'] === true) {
    const isVerbose = values.verbose === true;
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
    const results = await runClauses(kit, chosen(values.only), onResult);
    const report = reportOf(kit.baseUrl, startedAt, results, config.expectedFailures);
    if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`);
    print(tableOf(report));
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
  const unknown = names.find((name) => !allClauses.some((clause) => isNamed(clause, name)));
  if (unknown !== undefined) throw new ConfigFault(`--only: ${unknown} names no clause; --list prints them.`);
  return allClauses.filter((clause) => names.some((name) => isNamed(clause, name)));
}

function demandKnown({ expectedFailures }: Config, source: string): void {
  const known = new Set(allClauses.flatMap((clause) => [keyOf(clause), clause.id]));
  const unknown = expectedFailures.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new ConfigFault(`${source}: expectedFailures names ${unknown}, which is no clause; --list prints them.`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
