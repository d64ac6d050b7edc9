import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Clause, keyOf } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import { type Config, ConfigFault, readConfig } from '#test/kit/config.ts';
import { openKit } from '#test/kit/open.ts';
import { isGood, reportOf, tableOf } from '#test/kit/report.ts';
import { type Result, runClauses } from '#test/kit/run.ts';

const usage = `Tests a server of the interface from outside.

  portolan-contract --config target.json [--report out.json] [--only CODE,SALES-002/deals.merge] [--verbose]
  portolan-contract --list

  --config   the JSON file that describes the target (docs/contract-suite.md)
  --report   writes each clause's outcome to a JSON file
  --only     runs these sections, clauses or checks only, comma separated
  --verbose  prints each check as it ends
  --list     prints every check
`;

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
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.list === true) {
    print(allClauses.map((clause) => `${keyOf(clause)}  ${clause.level}  ${clause.text}`).join('\n'));
    return 0;
  }
  if (values.help === true || values.config === undefined) {
    print(usage);
    return values.help === true ? 0 : 2;
  }
  const config = readConfig(values.config);
  demandKnown(config, values.config);
  const isVerbose = values.verbose === true;
  const startedAt = new Date();
  const { kit, close } = await openKit(config);
  try {
    const told = (result: Result): void =>
      isVerbose
        ? print(`${result.outcome.padEnd(17)}${String(result.ms).padStart(6)} ms  ${result.key}  ${result.text}`)
        : undefined;
    const results = await runClauses(kit, chosen(values.only), told);
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
