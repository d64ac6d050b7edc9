import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { clausesOf } from '#test/architecture/specification.ts';
import type { PlantedFault } from '#test/planted/fault.ts';
import { judgeAll } from '#test/planted/judge.ts';
import { allPlanted } from '#test/planted/lists/all.ts';
import { noneYetFile, noneYetOf, textOfNoneYet } from '#test/planted/none-yet.ts';
import { partOfToday, withinPart } from '#test/planted/parts.ts';

// Plants one fault after the other in the sources, and demands that a test that is named after its clause fails:
// npm run planted -- [--clause CODE-006] [--group CODE] [--part 3/20 | --today] [--changed] [--within 60] [--workers 2] [--table]
const { values } = parseArgs({
  options: {
    clause: { type: 'string' },
    group: { type: 'string' },
    part: { type: 'string' },
    today: { type: 'boolean' },
    changed: { type: 'boolean' },
    within: { type: 'string' },
    workers: { type: 'string', default: '2' },
    table: { type: 'boolean' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const { clauses } = clausesOf(readFileSync('docs/specification.md', 'utf8'));

if (values.table === true) {
  writeFileSync(noneYetFile, textOfNoneYet(noneYetOf(clauses, allPlanted)));
  process.exit(0);
}
const startedAt = performance.now();
const withinMs = values.within === undefined ? Number.POSITIVE_INFINITY : Number(values.within) * 1000;
const part = values.today === true ? partOfToday(allPlanted.length, Date.now()) : (values.part ?? null);
if (part !== null) say(`npm run planted -- --part ${part}`);
const chosen = chosenOf(part === null ? allPlanted : withinPart(allPlanted, part));
const verdicts = await judgeAll({
  faults: chosen,
  workers: Number(values.workers),
  hasTime: () => performance.now() - startedAt < withinMs,
  report: ({ fault, caughtBy, wrong }) =>
    say(`${wrong === null ? 'caught' : 'NOT CAUGHT'}  ${fault.clause}  ${fault.file}  ${wrong ?? caughtBy}`),
});
const wrong = verdicts.filter((verdict) => verdict.wrong !== null);
const left = chosen.length - verdicts.length;
const seconds = Math.round((performance.now() - startedAt) / 1000);
say(
  `${verdicts.length - wrong.length} of ${verdicts.length} faults are caught by a test that is named after their clause, in ${seconds} s`,
);
if (left > 0) say(`${left} were not judged, for lack of time`);
for (const verdict of wrong)
  say(`- ${verdict.fault.clause}: ${verdict.fault.find} → ${verdict.fault.replace}: ${verdict.wrong}`);
process.exit(wrong.length === 0 && verdicts.length > 0 ? 0 : 1);

function chosenOf(faults: readonly PlantedFault[]): readonly PlantedFault[] {
  const changed = values.changed === true ? changedFiles() : null;
  return faults.filter(
    ({ clause, file }) =>
      (values.clause === undefined || values.clause.split(',').includes(clause)) &&
      (values.group === undefined || values.group.split(',').includes(clause.replace(/-\d+$/, ''))) &&
      (changed === null || changed.has(file)),
  );
}

/** The files that differ from what main has. */
function changedFiles(): ReadonlySet<string> {
  return new Set(execFileSync('git', ['diff', '--name-only', 'main'], { encoding: 'utf8' }).split('\n'));
}
