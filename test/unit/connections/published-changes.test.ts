import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountChange } from '#adapters/contracts/changes.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { SaveCredentials } from '#application/connections/save-credentials.ts';
import type { Connections } from '#application/ports/connections.ts';
import { memoryStores } from '#bootstrap/package/testing.ts';
import { wrapStores } from '#bootstrap/stores/wrap-stores.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { ok } from '#domain/shared/result.ts';
import { guest } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { ConnectionHarness, connected } from '#test/support/connections/connection-harness.ts';
import { neutralNames, serviceKeys } from '#test/support/services/five-services.ts';

let harness: ConnectionHarness;
let store: MemoryConnections;
let connections: Connections;
let published: number[];

const volatile = { ready: async () => {}, close: async () => {} };

/** The store as a server wraps it. */
const wrap = (changes: EventBus<AccountChange>) =>
  wrapStores(
    { ...memoryStores(), connections: Object.assign(store, volatile) },
    { secrets: ['a secret of this installation, long enough'], services: serviceKeys, changes, logger: harness.logger },
  );

beforeEach(() => {
  harness = new ConnectionHarness();
  store = new MemoryConnections();
  published = [];
  const changes = new EventBus<AccountChange>();
  changes.listen(({ userId }) => published.push(userId));
  ({ connections } = wrap(changes));
});

/** A connection that is there already. */
const prepare = async (record = connected): Promise<void> => {
  await connections.save(record, connectedSince(record.updatedAt));
  published = [];
};

const accessTokens = () =>
  new AccessTokens({
    connections,
    grants: harness.provider,
    leases: new MemoryLeases(harness.clock),
    users: harness.users,
    clock: harness.clock,
    logger: harness.logger,
    random: systemRandom,
    names: neutralNames,
    pause: async () => {},
  });

describe('a change of a connection is published once', () => {
  it('when a user connects', async () => {
    const save = new SaveCredentials({
      connections,
      methods: {
        find: () => ({
          oauth: null,
          keys: { missing: [], method: 'personal_token', hasOwnAddress: false, noun: 'tracker' },
          members: [],
          choices: [],
          counts: [],
          texts: [],
        }),
        checkExtra: (_, extra) => ok(extra),
      },
      probe: { complete: async (record) => ok(record), probe: async () => succeeded(null) },
      names: neutralNames,
      clock: harness.clock,
    });
    const user = { ...guest, id: 1, permissions: ['tracker' as const] };
    await save.run(user, { service: 'tracker', authMethod: 'personal_token', accessToken: 'a-token', extra: {} });
    expect(published).toEqual([1]);
    expect((await connections.overview(1)).services).toEqual(new Set(['tracker']));
  });

  it('when a user disconnects, but not without a connection', async () => {
    await prepare();
    expect(await connections.remove(1, 'sales_crm')).toBe(true);
    expect(await connections.remove(1, 'sales_crm')).toBe(false);
    expect(published).toEqual([1]);
  });

  it('when its tokens are renewed, whatever its status was', async () => {
    await prepare();
    expect(await accessTokens().renew(connected)).toMatchObject({ ok: true });
    expect(published).toEqual([1]);
    await connections.changeStatus(connected, { state: 'degraded', since: 1, reason: 'It does not answer.' });
    published = [];
    const found = await connections.reload(1, 'sales_crm');
    if (found === null) throw new Error('There is no connection.');
    expect(await accessTokens().renew(found.record)).toMatchObject({ ok: true });
    expect(published).toEqual([1]);
    expect(await connections.find(1, 'sales_crm')).toMatchObject({ status: { state: 'connected' } });
  });

  it('when it becomes degraded, but not again while it stays so', async () => {
    await prepare();
    harness.provider.failure = { reason: 'unavailable', message: 'It answered 503.' };
    await accessTokens().renew(connected);
    await accessTokens().renew(connected);
    expect(published).toEqual([1]);
    expect(await connections.find(1, 'sales_crm')).toMatchObject({ status: { state: 'degraded' } });
  });

  it('after it is stored, so that subscribers see it', async () => {
    const seen: (readonly string[])[] = [];
    const changes = new EventBus<AccountChange>();
    const wrapped = wrap(changes);
    await wrapped.connections.overview(1);
    const looking: Promise<unknown>[] = [];
    changes.listen(({ userId }) => {
      looking.push(wrapped.connections.overview(userId).then(({ services }) => seen.push([...services])));
    });
    await wrapped.connections.save(connected, connectedSince(1));
    await Promise.all(looking);
    expect(seen).toEqual([['sales_crm']]);
  });
});

describe('a decorated store', () => {
  it('receives no secret', async () => {
    await connections.save(connected, connectedSince(1));
    const stored = await store.reload(1, 'sales_crm');
    expect(stored?.record.accessToken).toMatch(/^v1\./);
    expect(JSON.stringify(stored)).not.toMatch(/access-0|refresh-0/);
    expect(await connections.find(1, 'sales_crm')).toMatchObject({ record: connected });
  });

  it('drops what is cached of a user as soon as a change is published, wherever it was made', async () => {
    const changes = new EventBus<AccountChange>();
    const here = wrap(changes).connections;
    await here.save(connected, connectedSince(1));
    expect((await here.overview(1)).services.size).toBe(1);
    await here.find(1, 'sales_crm');
    await store.remove(1, 'sales_crm');
    changes.publish({ userId: 1 });
    expect(await here.find(1, 'sales_crm')).toBeNull();
    expect((await here.overview(1)).services.size).toBe(0);
  });

  it('offers the team’s vault, whose status is not stored', async () => {
    const changes = new EventBus<AccountChange>();
    const wrapped = wrap(changes);
    wrapped.teamVault.serve(5);
    expect(await wrapped.connections.overview(1)).toEqual({ services: new Set(['vault']), isInTeamVault: true });
    const place = { userId: 1, service: 'vault' } as const;
    const refused = {
      state: 'degraded' as const,
      since: 9,
      reason: 'It was refused.',
      rejections: { firstAt: 9, probes: 0, probeAt: 10 },
    };
    expect(await wrapped.connections.changeStatus(place, refused)).toBe(true);
    expect(await wrapped.connections.find(1, 'vault')).toMatchObject({ status: refused });
    expect(await wrapped.connections.find(2, 'vault')).toMatchObject({ status: connectedSince(5) });
    expect(await wrapped.connections.dueForProbe(10)).toEqual([place]);
    expect(await store.list(1)).toEqual([]);
  });
});
