import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kind } from '#test/faults/deliveries.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { beat } from '#test/faults/pulse.ts';
import { type Extent, type FaultRow, type Measured, namesOf, statusesText } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';

const kinds: readonly Kind[] = ['deal', 'document', 'issue', 'organization'];
const settledWithinMs = 120_000;
const wellWithinMs = 60_000;

/** The part of a server's data that is not in its place for a while, and what is there meanwhile. */
type Away = Readonly<{
  path(stand: Stand): string;
  /** Puts something in its place; what was there is at `moved`. */
  replace(path: string, moved: string): void;
  /** Whether the process is killed meanwhile. */
  isKilled?: boolean;
}>;

const data: Away['path'] = ({ dataDir }) => dataDir;
const notes: Away['path'] = ({ dataDir }) => join(dataDir, 'vault');

const holds =
  'Meanwhile /healthz answers 200, /readyz 503 and deliveries 503, and nothing is written into what is in its place; ' +
  'then all is well by itself, and nothing that was acknowledged is lost or doubled (RUN-028, RUN-030, RUN-031, EMB-020)';

const cases: readonly (readonly [fault: string, away: Away])[] = [
  ['the folder of data gone, and back', { path: data, replace: () => undefined }],
  ['the folder of data gone, the server killed, and it back', { path: data, replace: () => undefined, isKilled: true }],
  [
    'the folder of data replaced by a copy, and back',
    { path: data, replace: (path, moved) => cpSync(moved, path, { recursive: true }) },
  ],
  ['the folder of notes gone, and back', { path: notes, replace: () => undefined }],
  ['the folder of notes unmounted, and mounted again', { path: notes, replace: (path) => mkdirSync(path) }],
  [
    'the folder of notes replaced by a link to another one, and back',
    {
      path: notes,
      replace: (path, moved) => {
        mkdirSync(`${moved}.other`);
        symlinkSync(`${moved}.other`, path);
      },
    },
  ],
];

/** What the server keeps is taken away from under it. */
export const storage: readonly FaultRow[] = cases.map(([fault, away]) => ({
  subject: 'storage',
  fault,
  holds,
  run: (extent: Extent) => takenAway(away, extent),
}));

async function takenAway({ path: pathOf, replace, isKilled = false }: Away, { isShort }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const path = pathOf(stand);
  const moved = `${stand.dataDir}.moved`;
  const problems: string[] = [];
  try {
    const tally = await sendAll(stand, deliveriesOf({ kinds, count: isShort ? 8 : 60 }));
    renameSync(path, moved);
    replace(path, moved);
    const before = contentsOf(path);
    const sending = sendAll(stand, deliveriesOf({ kinds, records: 8, count: isShort ? 8 : 60 }), {
      tally,
      againMs: 200,
      onStatus: (status) => {
        if (status !== 200 && status !== 503 && !isKilled)
          problems.push(`A delivery was answered ${status || 'nothing'}.`);
      },
    });
    await delay(isShort ? 1_500 : 5_000);
    problems.push(...(await answersMeanwhile(stand)));
    if (isKilled) await stand.server().end('SIGKILL');
    if (contentsOf(path) !== before) problems.push('Something was written into what is in its place.');
    rmSync(path, { recursive: true, force: true });
    renameSync(moved, path);
    const endedAt = Date.now();
    if (isKilled) await stand.start();
    await sending;
    while ((await beat(`${stand.baseUrl}/readyz`)).status !== 200) {
      if (Date.now() - endedAt > wellWithinMs) throw new Error('The server does not become ready.');
      await delay(50);
    }
    const settled = await stand.watcher.all(tally.acknowledged, settledWithinMs);
    const effects = await stand.watcher.effects(tally.acknowledged);
    return {
      load: `${tally.acknowledged.length} deliveries; ${statusesText(tally.statuses)}`,
      acknowledged: tally.acknowledged.length,
      lost: effects.lost.length,
      doubled: effects.doubled.length,
      recoveredAfterMs: settled === null ? null : Date.now() - endedAt,
      problems: [...problems, ...namesOf(effects), ...deadIn(stand)],
    };
  } finally {
    for (const left of [moved, `${moved}.other`]) rmSync(left, { recursive: true, force: true });
  }
}

async function answersMeanwhile({ baseUrl }: Stand): Promise<readonly string[]> {
  const [health, ready] = [await beat(`${baseUrl}/healthz`), await beat(`${baseUrl}/readyz`)];
  return [
    ...(health.status === 200 ? [] : [`/healthz answered ${health.status}.`]),
    ...(ready.status === 503 ? [] : [`/readyz answered ${ready.status}.`]),
  ];
}

/** Everything at a path, with the contents of its files; '' where there is nothing. */
function contentsOf(path: string): string {
  if (!existsSync(path)) return '';
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const texts = entries.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return entry.isFile() ? `${file} ${readFileSync(file).toString('base64')}` : file;
  });
  return `folder ${texts.toSorted().join('\n')}`;
}

function deadIn(stand: Stand): readonly string[] {
  const lines = stand.server().log().split('\n');
  return lines.filter((line) => line.includes('delivery is dead')).map((line) => `A delivery failed: ${line}`);
}
