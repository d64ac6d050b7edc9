import type { Figure } from '#test/bench/bench.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openCluster } from '#test/support/server/cluster.ts';
import { followedChanges } from '#test/support/server/followed-changes.ts';

const turns = 40;

/** How soon a server follows what another has changed, from the answer to the change on; the baseline is what was promised. */
export async function changeDelays(): Promise<readonly Figure[]> {
  await using cluster = await openCluster({ servers: 2, as: 'processes', env: { RATE_LIMITS: 'off' } });
  const [origin = '', other = ''] = cluster.servers.map((server) => server.origin);
  const person = await cluster.signIn(origin);
  const token = await accessToken({ origin: cluster.origin });
  const trackerKey = cluster.services.emulators.tracker.credentials.apiKey;
  const figures: Figure[] = [];
  for (const { name, turn, isSeen } of followedChanges({ person, origin, other, token, trackerKey })) {
    const delays: number[] = [];
    for (let times = 0; times < turns; times += 1) {
      await isSeen();
      const isOn = await turn();
      const turnedAt = performance.now();
      while ((await isSeen()) !== isOn);
      delays.push(performance.now() - turnedAt);
    }
    delays.sort((left, right) => left - right);
    const row = (which: string, value: number): Figure => ({
      figure: `${name} that one server changes, seen by another, ${which}`,
      unit: 'ms',
      value,
      baseline: 200,
    });
    figures.push(row('median', delays[turns / 2] ?? 0), row('worst', delays.at(-1) ?? 0));
  }
  return figures;
}
