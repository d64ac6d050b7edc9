import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import '#test/support/services/five-services.ts';
import { endJudging, judge, type Verdict } from '#test/mutants/judge.ts';
import { allMutants } from '#test/mutants/lists/all.ts';
import type { Mutant } from '#test/mutants/mutant.ts';
import { ports } from '#test/mutants/ports.ts';
import { onPostgres, postgresServer } from '#test/mutants/postgres-databases.ts';

// Breaks each adapter in the ways of the list, and demands that the port's suite notices: npm run mutants -- [--short] [--port users] [--on PostgreSQL] [--all]
const { values } = parseArgs({
  options: { short: { type: 'boolean' }, port: { type: 'string' }, on: { type: 'string' }, all: { type: 'boolean' } },
});
/** The short form judges every third mutant of each port. */
const step = values.short === true ? 3 : 1;
/** How often a mutant that lived is judged again: one that breaks what happens at the same time may be lucky, and no clause waits for ever. */
const moreTries = 3;
const say = (line: string) => process.stdout.write(`${line}\n`);
process.on('unhandledRejection', () => undefined);

const faults: string[] = [];
const skipped: string[] = [];
let judgedCount = 0;
let harmless = 0;
for (const { port: name, mutants } of allMutants) {
  if (values.port !== undefined && values.port !== name) continue;
  const port = ports.find((one) => one.port === name);
  if (port === undefined) throw new Error(`No port is called ${name}`);
  const asked = mutants.filter(({ on }) => values.on === undefined || values.on === on);
  const listed = asked.filter((mutant, index) => index % step === 0 || !isThere(mutant));
  const chosen = await withDatabase(name, listed);
  for (const on of new Set(chosen.map((mutant) => mutant.on))) {
    const { caughtBy, error } = await judge(port, on, null);
    if (caughtBy !== null) faults.push(`${name} on ${on} does not pass as it is: ${caughtBy}: ${messageOf(error)}`);
  }
  let caught = 0;
  for (const mutant of chosen) {
    const fault = isThere(mutant) ? faultIn(await verdictOn(mutant)) : 'the text to replace is not in the file';
    if (fault === null) caught += 1;
    else faults.push(`${name} on ${mutant.on}, ${mutant.way}: ${fault}`);
    if (mutant.harmless !== undefined) harmless += 1;
  }
  judgedCount += chosen.length;
  say(`${name.padEnd(20)} ${caught} of ${chosen.length}`);

  async function verdictOn(mutant: Mutant): Promise<Verdict> {
    const one = port ?? ports[0] ?? never();
    let verdict = { mutant, ...(await judge(one, mutant.on, mutant)) };
    for (let more = 0; more < moreTries && mutant.harmless === undefined && verdict.caughtBy === null; more += 1) {
      say(`  lived once: ${mutant.on}: ${mutant.way}`);
      verdict = { mutant, ...(await judge(one, mutant.on, mutant)) };
    }
    if (values.all === true)
      say(`  ${verdict.caughtBy ?? 'ALIVE'} | ${mutant.on}: ${mutant.way} | ${messageOf(verdict.error)}`);
    return verdict;
  }
}
await endJudging();
say(`${judgedCount} mutants, ${faults.length} not as the list says, ${harmless} said to be harmless`);
for (const one of skipped) say(`- ${one}`);
for (const fault of faults) say(`- ${fault}`);
process.exit(faults.length === 0 && judgedCount > 0 ? 0 : 1);

/** What is wrong with a verdict: a mutant that lives, or one that is said to be harmless and is caught. */
function faultIn({ mutant, caughtBy, error }: Verdict): string | null {
  if (caughtBy === 'it cannot be loaded') return `${caughtBy}: ${messageOf(error)}`;
  if (mutant.harmless === undefined) return caughtBy === null ? 'no clause catches it' : null;
  return caughtBy === null ? null : `it is said to be harmless, and is caught by ${caughtBy}`;
}

/** Leaves out, and says, what would run on PostgreSQL where none can be started. */
async function withDatabase(name: string, mutants: readonly Mutant[]): Promise<readonly Mutant[]> {
  const others = mutants.filter(({ on }) => on !== onPostgres);
  if (others.length === mutants.length) return mutants;
  const server = await postgresServer();
  if (typeof server !== 'string') return mutants;
  skipped.push(`${name}: ${mutants.length - others.length} skipped on PostgreSQL: ${server}`);
  return others;
}

function isThere(mutant: Mutant): boolean {
  return !('file' in mutant) || (existsSync(mutant.file) && readFileSync(mutant.file, 'utf8').includes(mutant.find));
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

function never(): never {
  throw new Error('There are no ports');
}
