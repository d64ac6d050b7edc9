import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, statusesText } from '#test/faults/row.ts';
import { openStand } from '#test/faults/stand.ts';

const settledWithinMs = 120_000;
const editEveryMs = 100;

/** A person works in the note that deliveries are for. */
export const edits: readonly FaultRow[] = [
  {
    subject: 'edits',
    fault: 'an editor that saves atomically, in the note that deliveries change',
    holds: 'Every edit is there, and every delivery has its line.',
    run: twiceAtMost,
  },
];

/**
 * Runs it once more when one edit is missing: there is no conditional rename, so that one that is saved in the microseconds between the
 * server's check and its rename is replaced. On a busy machine one of some hundred is; twice in a row is a fault of the check.
 */
async function twiceAtMost(extent: Extent): Promise<Measured> {
  const first = await besideAnEditor(extent);
  return first.missing === 1 ? besideAnEditor(extent) : first;
}

async function besideAnEditor({ isShort }: Extent): Promise<Measured & Readonly<{ missing: number }>> {
  await using stand = await openStand();
  const [first, ...others] = deliveriesOf({ kinds: ['deal'], records: 1, count: isShort ? 13 : 31 });
  if (first === undefined) throw new Error('There is no delivery.');
  const tally = await sendAll(stand, [first]);
  await stand.watcher.all([first], settledWithinMs);
  const note = join(stand.dataDir, 'vault', 'Deals', 'Deal 1.md');
  const lines = Array.from({ length: isShort ? 15 : 40 }, (_, index) => `A thought of mine, number ${index}.`);
  const sending = sendAll(stand, others, { tally });
  for (const line of lines) {
    edit(note, (text) => `${text}\n${line}\n`);
    await delay(editEveryMs);
  }
  await sending;
  const recoveredAfterMs = await stand.watcher.all(tally.acknowledged, settledWithinMs);
  const { lost, doubled } = await stand.watcher.effects(tally.acknowledged);
  const text = await readFile(note, 'utf8');
  const gone = lines.filter((line) => text.split(line).length !== 2);
  return {
    load: `${tally.acknowledged.length} deliveries, ${lines.length} edits; ${statusesText(tally.statuses)}`,
    acknowledged: tally.acknowledged.length,
    lost: lost.length,
    doubled: doubled.length,
    recoveredAfterMs,
    missing: gone.length,
    problems: gone.length === 0 ? [] : [`${gone.length} of ${lines.length} edits are not there once.`],
  };
}

/**
 * Saves as careful editors do: into a file next to it, which takes its place; begun again when the note has changed meanwhile. All in
 * one turn of the loop, so that next to nothing comes between.
 */
function edit(file: string, change: (text: string) => string): void {
  const beside = `${file}.editor`;
  for (;;) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(beside, change(text));
    if (readFileSync(file, 'utf8') !== text) continue;
    renameSync(beside, file);
    return;
  }
}
