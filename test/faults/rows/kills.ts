import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, namesOf, statusesText } from '#test/faults/row.ts';
import { openStand, type Stand, type StandOptions } from '#test/faults/stand.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

const holds = 'What was acknowledged has its effect once, whenever the process ends; no note is half written.';
const perKill = 15;
const settledWithinMs = 120_000;

/** The process ends without a warning, again and again, while deliveries of three services come in. */
export const kills: readonly FaultRow[] = [
  { subject: 'kills', fault: 'kill -9, SQLite', holds, run: (extent) => killedOver({}, extent) },
  {
    subject: 'kills',
    fault: 'kill -9, PostgreSQL',
    holds,
    run: async (extent) => {
      const postgres = await startEmbeddedPostgres();
      try {
        return await killedOver({ env: { DATABASE_URL: postgres.url } }, extent);
      } finally {
        await postgres.stop();
      }
    },
  },
];

async function killedOver(options: StandOptions, { kills: times }: Extent): Promise<Measured> {
  await using stand = await openStand(options);
  const deliveries = deliveriesOf({
    kinds: ['deal', 'document', 'issue', 'organization'],
    records: 4,
    count: (times + 1) * perKill,
  });
  const crashes: Promise<void>[] = [];
  let crashing: Promise<void> | null = null;
  const onAcknowledged = ({ acknowledged }: Readonly<{ acknowledged: readonly unknown[] }>) => {
    // The next one falls due while the server may still be starting: then it comes as soon as that has happened.
    if (acknowledged.length % perKill !== 0 || crashes.length >= times) return;
    crashing = (crashing ?? Promise.resolve()).then(() => stand.crash());
    crashes.push(crashing);
  };
  const tally = await sendAll(stand, deliveries, { onAcknowledged });
  await Promise.all(crashes);
  const recoveredAfterMs = await stand.watcher.all(tally.acknowledged, settledWithinMs);
  const effects = await stand.watcher.effects(tally.acknowledged);
  return {
    load: `${deliveries.length} deliveries, ${crashes.length} kills; ${statusesText(tally.statuses)}`,
    acknowledged: tally.acknowledged.length,
    lost: effects.lost.length,
    doubled: effects.doubled.length,
    recoveredAfterMs,
    problems: [
      ...(crashes.length === times ? [] : [`Killed ${crashes.length} times in place of ${times}.`]),
      ...(await halfNotes(stand)),
      ...namesOf(effects),
    ],
  };
}

/** Notes that are not whole: without a closed frontmatter, or with a name that only an unfinished write has. */
async function halfNotes({ dataDir }: Stand): Promise<readonly string[]> {
  const folder = join(dataDir, 'vault');
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.md'));
  const whole = await Promise.all(
    paths.map(async (path) => /^---\n(?:.+\n)+---\n/.test(await readFile(join(folder, path), 'utf8'))),
  );
  return paths.filter((_, index) => whole[index] !== true).map((path) => `${path} is half written.`);
}
