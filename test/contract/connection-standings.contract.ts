import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { ConnectionStanding } from '#domain/connections/connection.ts';

/** Standings to test, and how to throw them away. */
export type OpenStandings = () => Promise<Readonly<{ standings: ConnectionStandings; close(): Promise<void> }>>;

const degraded: ConnectionStanding = {
  userId: 1,
  service: 'tracker',
  state: 'degraded',
  since: 1_769_172_700_000,
  reason: 'It does not answer.',
};

/** What all stores of standings do (CONN-009, CONN-010). */
export function connectionStandingsContract(name: string, open: OpenStandings): void {
  describe(`connection standings (${name})`, () => {
    let standings: ConnectionStandings;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ standings, close } = await open());
    });
    afterEach(() => close());

    it('STANDINGS-001 gives back what was kept, the last of a user and service', async () => {
      await standings.keep(degraded);
      expect(await standings.find(1, 'tracker')).toEqual(degraded);
      const mended = { ...degraded, state: 'connected', reason: null } as const;
      await standings.keep(mended);
      expect(await standings.find(1, 'tracker')).toEqual(mended);
      expect(await standings.list(1)).toEqual([mended]);
    });

    it('STANDINGS-002 has none where none was kept', async () => {
      await standings.keep(degraded);
      expect(await standings.find(2, 'tracker')).toBeNull();
      expect(await standings.list(2)).toEqual([]);
    });

    it('STANDINGS-004 remembers refusals until something else is kept, and tells which are due for a probe', async () => {
      const refusals = { firstAt: degraded.since, probes: 2, probeAt: degraded.since + 60_000 };
      const refused = { ...degraded, refusals };
      await standings.keep(refused);
      await standings.keep({ ...degraded, service: 'vault', refusals: { ...refusals, probeAt: null } });
      await standings.keep({ ...degraded, service: 'signing' });
      expect(await standings.find(1, 'tracker')).toEqual(refused);
      expect(await standings.dueForProbe(refusals.probeAt - 1)).toEqual([]);
      expect(await standings.dueForProbe(refusals.probeAt)).toEqual([refused]);
      await standings.keep({ ...degraded, state: 'connected', reason: null });
      expect(await standings.dueForProbe(refusals.probeAt)).toEqual([]);
      expect(await standings.find(1, 'tracker')).toEqual({ ...degraded, state: 'connected', reason: null });
    });

    it('STANDINGS-003 forgets one and leaves the others', async () => {
      const vault = { ...degraded, service: 'vault' } as const;
      await standings.keep(degraded);
      await standings.keep(vault);
      await standings.remove(1, 'tracker');
      expect(await standings.list(1)).toEqual([vault]);
    });
  });
}
