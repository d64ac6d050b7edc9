import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionStore, Connections } from '#application/ports/connections.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Connections to test, and how to throw them away. */
export type OpenConnections = () => Promise<Readonly<{ connections: Connections; close(): Promise<void> }>>;

const oauth: TokenRecord = {
  userId: 1,
  service: 'suite_crm',
  authMethod: 'oauth',
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  scope: 'ZohoCRM.modules.ALL,ZohoCRM.users.ALL',
  expiresAt: 1_769_172_798_123,
  extra: { api_domain: 'https://api.example', data_center: 'EU', header_format: 'own' },
  updatedAt: 1_769_172_700_000,
};

const key: TokenRecord = {
  userId: 1,
  service: 'vault',
  authMethod: 'api_key',
  accessToken: 'key-1',
  refreshToken: null,
  scope: null,
  expiresAt: null,
  extra: { base_url: 'http://127.0.0.1:27123', verify_ssl: false },
  updatedAt: 1,
};

const since = 1_769_172_700_500;
const works = connectedSince(since);
const degraded: ConnectionStatus = { state: 'degraded', since, reason: 'It does not answer.' };
const rejections = { firstAt: since, probes: 2, probeAt: since + 60_000 };

/** What all stores of connections do. */
export function connectionsContract(name: string, open: OpenConnections): void {
  describe(`connections (${name})`, () => {
    let connections: Connections;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ connections, close } = await open());
    });
    afterEach(() => close());

    const record = async (userId: number, service: TokenRecord['service']) =>
      (await connections.reload(userId, service))?.record ?? null;
    const status = async (userId: number, service: TokenRecord['service']) =>
      (await connections.reload(userId, service))?.status ?? null;

    it('CONNECTIONS-001 gives back every field as it was saved', async () => {
      await connections.save(oauth, works);
      await connections.save(key, { ...degraded, rejections });
      expect(await connections.find(1, 'suite_crm')).toEqual({ record: oauth, status: works });
      expect(await connections.reload(1, 'suite_crm')).toEqual({ record: oauth, status: works });
      expect(await connections.find(1, 'vault')).toEqual({ record: key, status: { ...degraded, rejections } });
    });

    it('CONNECTIONS-002 has none where none was saved', async () => {
      await connections.save(oauth, works);
      expect(await connections.find(1, 'tracker')).toBeNull();
      expect(await connections.reload(2, 'suite_crm')).toBeNull();
    });

    it('CONNECTIONS-003 keeps one connection for a user and service, the last with its status (CONN-001)', async () => {
      await connections.save(oauth, { ...degraded, rejections });
      const anew = { ...oauth, accessToken: 'access-2', refreshToken: null, scope: null, expiresAt: null, extra: {} };
      await connections.save(anew, works);
      expect(await connections.list(1)).toEqual([{ record: anew, status: works }]);
      expect(await connections.dueForProbe(rejections.probeAt)).toEqual([]);
    });

    it('CONNECTIONS-004 lists a user’s connections in the order of the services, and tells the services alone', async () => {
      await connections.save(key, degraded);
      await connections.save(oauth, works);
      await connections.save({ ...oauth, userId: 2, service: 'sales_crm' }, works);
      expect(await connections.list(1)).toEqual([
        { record: oauth, status: works },
        { record: key, status: degraded },
      ]);
      expect(await connections.list(3)).toEqual([]);
      const { services, isInTeamVault } = await connections.overview(1);
      expect([[...services].toSorted(), isInTeamVault]).toEqual([['suite_crm', 'vault'], false]);
      expect((await connections.overview(3)).services.size).toBe(0);
    });

    it('CONNECTIONS-005 forgets a connection with its status, once, and leaves the others', async () => {
      await connections.save(oauth, { ...degraded, rejections });
      await connections.save(key, works);
      expect(await connections.remove(1, 'suite_crm')).toBe(true);
      expect(await connections.remove(1, 'suite_crm')).toBe(false);
      expect(await connections.list(1)).toEqual([{ record: key, status: works }]);
      expect(await connections.dueForProbe(rejections.probeAt)).toEqual([]);
    });

    it('CONNECTIONS-006 tells where tokens of all users can be renewed, for the background job', async () => {
      await connections.save(oauth, works);
      await connections.save(key, works);
      await connections.save({ ...oauth, userId: 2 }, works);
      await connections.save({ ...oauth, userId: 3, refreshToken: null }, works);
      await connections.save({ ...oauth, userId: 4, expiresAt: null }, works);
      expect(await connections.renewable()).toEqual([
        { userId: 1, service: 'suite_crm' },
        { userId: 2, service: 'suite_crm' },
      ]);
    });

    it('CONNECTIONS-007 replaces credentials that are still those that were read, and is connected then', async () => {
      const renewed = { ...oauth, accessToken: 'access-2', refreshToken: 'refresh-2', updatedAt: since + 1 };
      await connections.save(oauth, { ...degraded, rejections });
      expect(await connections.replace(await stored(), renewed)).toBe(true);
      expect(await connections.find(1, 'suite_crm')).toEqual({ record: renewed, status: connectedSince(since + 1) });
      expect(await connections.dueForProbe(rejections.probeAt)).toEqual([]);
    });

    it('CONNECTIONS-008 keeps since when it is connected when credentials are replaced', async () => {
      await connections.save(oauth, works);
      expect(await connections.replace(await stored(), { ...oauth, accessToken: 'access-2' })).toBe(true);
      expect(await status(1, 'suite_crm')).toEqual(works);
    });

    it('CONNECTIONS-009 does not replace credentials that have changed, nor bring back those that are gone', async () => {
      await connections.save(oauth, degraded);
      const read = await stored();
      const byUser = { ...oauth, accessToken: 'access-of-the-user' };
      const renewed = { ...oauth, accessToken: 'access-2' };
      await connections.save(byUser, degraded);
      expect(await connections.replace(read, renewed)).toBe(false);
      expect(await connections.find(1, 'suite_crm')).toEqual({ record: byUser, status: degraded });
      await connections.remove(1, 'suite_crm');
      expect(await connections.replace(read, renewed)).toBe(false);
      expect(await connections.find(1, 'suite_crm')).toBeNull();
    });

    it('CONNECTIONS-010 lets one of many replace the same credentials', async () => {
      await connections.save(oauth, works);
      const read = await stored();
      const tries = ['a', 'b', 'c', 'd'].map((accessToken) => connections.replace(read, { ...oauth, accessToken }));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    it('CONNECTIONS-011 changes the status of one connection and nothing else', async () => {
      await connections.save(oauth, works);
      await connections.save({ ...oauth, userId: 2 }, works);
      await connections.save(key, works);
      expect(await connections.changeStatus({ userId: 1, service: 'suite_crm' }, { ...degraded, rejections })).toBe(
        true,
      );
      expect(await connections.find(1, 'suite_crm')).toEqual({ record: oauth, status: { ...degraded, rejections } });
      expect([await status(2, 'suite_crm'), await status(1, 'vault')]).toEqual([works, works]);
      expect(await connections.changeStatus({ userId: 1, service: 'suite_crm' }, works)).toBe(true);
      expect(await connections.find(1, 'suite_crm')).toEqual({ record: oauth, status: works });
    });

    it('CONNECTIONS-012 changes no status where there is no connection, and leaves none behind', async () => {
      expect(await connections.changeStatus({ userId: 1, service: 'suite_crm' }, { ...degraded, rejections })).toBe(
        false,
      );
      expect(await connections.dueForProbe(rejections.probeAt)).toEqual([]);
      await connections.save(oauth, works);
      expect(await status(1, 'suite_crm')).toEqual(works);
    });

    it('CONNECTIONS-013 tells which refused credentials are due for a probe', async () => {
      await connections.save(oauth, { ...degraded, rejections });
      await connections.save(key, { ...degraded, rejections: { ...rejections, probeAt: null } });
      await connections.save({ ...key, service: 'signing' }, degraded);
      expect(await connections.dueForProbe(rejections.probeAt - 1)).toEqual([]);
      expect(await connections.dueForProbe(rejections.probeAt)).toEqual([{ userId: 1, service: 'suite_crm' }]);
      await connections.changeStatus({ userId: 1, service: 'suite_crm' }, works);
      expect(await connections.dueForProbe(rejections.probeAt)).toEqual([]);
    });

    it('CONNECTIONS-014 holds nothing against credentials that was known of the former ones', async () => {
      await connections.save({ ...oauth, updatedAt: since + 1 }, degraded);
      expect(await status(1, 'suite_crm')).toEqual(connectedSince(since + 1));
    });

    /** What a renewal begins with. */
    async function stored(): Promise<TokenRecord> {
      const found = await record(1, 'suite_crm');
      if (found === null) throw new Error('There is no connection.');
      return found;
    }
  });
}

/** What every store of connections does besides, for a change of keys. */
export function connectionStoreContract(
  name: string,
  open: () => Promise<Readonly<{ connections: ConnectionStore; close(): Promise<void> }>>,
): void {
  describe(`a store of connections (${name})`, () => {
    let connections: ConnectionStore;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ connections, close } = await open());
    });
    afterEach(() => close());

    it('CONNECTIONS-015 lists the places of all connections, by user and service', async () => {
      expect(await connections.places()).toEqual([]);
      await connections.save({ ...key, userId: 2 }, works);
      await connections.save(key, degraded);
      await connections.save(oauth, works);
      expect(await connections.places()).toEqual([
        { userId: 1, service: 'suite_crm' },
        { userId: 1, service: 'vault' },
        { userId: 2, service: 'vault' },
      ]);
    });

    it('CONNECTIONS-016 rewrites the tokens that are still stored, and nothing else', async () => {
      await connections.save(oauth, { ...degraded, rejections });
      await connections.save({ ...oauth, userId: 2 }, works);
      const rewritten = { ...oauth, accessToken: 'access, in another form', refreshToken: 'refresh, in another form' };
      expect(await connections.rewrite({ ...oauth, accessToken: 'no longer stored' }, rewritten)).toBe(false);
      expect(await connections.find(1, 'suite_crm')).toMatchObject({ record: oauth });
      expect(await connections.rewrite(oauth, rewritten)).toBe(true);
      expect(await connections.find(1, 'suite_crm')).toEqual({
        record: rewritten,
        status: { ...degraded, rejections },
      });
      expect(await connections.find(2, 'suite_crm')).toEqual({ record: { ...oauth, userId: 2 }, status: works });
      expect(await connections.rewrite({ ...oauth, userId: 3 }, rewritten)).toBe(false);
    });
  });
}
