import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedVault, startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, statusesText } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';
import { freePort } from '#test/kit/free-port.ts';

const settledWithinMs = 120_000;
/** A refused key is looked at again after a minute. */
const byItselfWithinMs = 120_000;

/** A key that is refused for a while. */
export const keys: readonly FaultRow[] = [
  {
    subject: 'keys',
    fault: 'the notes app refuses the key for a while; Test is pressed',
    holds: 'The connection is said to be degraded; Test makes it well, and what waited is done.',
    run: (extent) =>
      refused(extent, async (stand) => void (await stand.person.call('POST', '/connections/vault/test'))),
  },
  {
    subject: 'keys',
    fault: 'the notes app refuses the key for a while; nobody does anything',
    holds: 'It is looked at again after a minute, and what waited is done.',
    run: (extent) => (extent.isShort ? Promise.resolve(tooLong) : refused(extent, async () => undefined)),
  },
];

const tooLong: Measured = {
  load: 'takes a minute: in npm run faults only',
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  recoveredAfterMs: null,
  problems: [],
};

async function refused({ isShort }: Extent, heal: (stand: Stand) => Promise<void>): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-notes-app-'));
  const port = await freePort();
  const serve = (apiKey: string): Promise<EmbeddedVault> =>
    startEmbeddedVault({
      folder,
      listen: { host: '127.0.0.1', port, apiKey },
      clock: systemClock,
      logger: openLogger('silent'),
    });
  let app = await serve('the right key');
  try {
    const env = { VAULT_URL: `http://127.0.0.1:${port}`, VAULT_API_KEY: 'the right key' };
    await using stand = await openStand({ env, notes: folder });
    const problems: string[] = [];
    await app.close();
    app = await serve('another key');
    const tally = await sendAll(stand, deliveriesOf({ count: isShort ? 6 : 30 }));
    // A key from the settings is unchecked until it is first used.
    while (['connected', 'unchecked'].includes(await stateOf(stand))) await delay(100);
    if ((await stateOf(stand)) !== 'degraded') problems.push(`It was said to be ${await stateOf(stand)}.`);
    await app.close();
    app = await serve('the right key');
    await heal(stand);
    const recoveredAfterMs = await stand.watcher.all(tally.acknowledged, Math.max(settledWithinMs, byItselfWithinMs));
    if ((await stateOf(stand)) !== 'connected') problems.push(`In the end it is said to be ${await stateOf(stand)}.`);
    const { lost, doubled } = await stand.watcher.effects(tally.acknowledged);
    return {
      load: `${tally.acknowledged.length} deliveries; ${statusesText(tally.statuses)}`,
      acknowledged: tally.acknowledged.length,
      lost: lost.length,
      doubled: doubled.length,
      recoveredAfterMs,
      problems,
    };
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Listed = Readonly<{ service: string; state: string }>;

async function stateOf(stand: Stand): Promise<string> {
  const listed: unknown = await stand.person.call('GET', '/api/connections');
  return connectionsIn(listed).find(({ service }) => service === 'vault')?.state ?? 'not there';
}

function connectionsIn(answer: unknown): readonly Listed[] {
  const list: unknown = Array.isArray(answer) ? answer : Object.values(Object(answer)).find(Array.isArray);
  return Array.isArray(list) ? list : [];
}
