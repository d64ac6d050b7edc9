import { type FaultRow, isHeld, type Measured } from '#test/faults/row.ts';
import { allRows } from '#test/faults/rows.ts';
import { counted, type Result, tableOf } from '#test/faults/table.ts';

/*
 * `npm run faults [-- word…]`: brings faults to real servers, all of them or those whose subject or name has one of the words,
 * and prints what was acknowledged, lost and doubled. Ends with 1 when a row does not hold. FAULTS_KILLS (20) is how often a
 * process is killed; `--short` runs the short form that `npm test` runs.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isShort = process.argv.includes('--short');
const kills = Number(process.env['FAULTS_KILLS'] ?? (isShort ? 1 : 20));
const chosen = allRows.filter(
  ({ subject, fault }) => words.length === 0 || words.some((word) => `${subject} ${fault}`.includes(word)),
);

const results: Result[] = [];
for (const row of chosen) {
  const begunAt = performance.now();
  const measured = await measuredOf(row);
  results.push({ row, measured });
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(0);
  process.stderr.write(
    `${isHeld(measured) ? 'holds' : 'DOES NOT HOLD'}  ${row.subject}: ${row.fault} (${seconds} s)\n`,
  );
  process.stderr.write(`    ${measured.load}\n`);
  for (const problem of counted(measured.problems)) process.stderr.write(`    ${problem}\n`);
}
process.stdout.write(tableOf(results));
process.exit(results.length > 0 && results.every(({ measured }) => isHeld(measured)) ? 0 : 1);

/** A row that cannot be carried out does not hold either. */
async function measuredOf(row: FaultRow): Promise<Measured> {
  try {
    return await row.run({ isShort, kills });
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { load: '', acknowledged: 0, lost: 0, doubled: 0, recoveredAfterMs: null, problems: [said] };
  }
}
