import { beforeEach, describe, expect, it } from 'vitest';
import { type Cached, cachedConnections } from '#adapters/stores/cached-stores.ts';
import type { ConnectionOverview, Connections, StoredConnection } from '#application/ports/connections.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { ConnectionHarness, connected, start } from '#test/support/connections/connection-harness.ts';

const works = connectedSince(start);
const reconnect: ConnectionStatus = { state: 'reconnect', since: start + 1, reason: 'It was refused.' };
const place = { userId: 1, service: 'sales_crm' } as const;

/** Stored connections that count how often they are read. */
class CountingConnections extends MemoryConnections {
  reads = 0;
  overviews = 0;
  /** What a read waits for. */
  gate: Promise<void> = Promise.resolve();

  override async find(...of: Parameters<MemoryConnections['find']>): Promise<StoredConnection | null> {
    this.reads += 1;
    const found = await super.find(...of);
    await this.gate;
    return found;
  }

  override async overview(userId: number): Promise<ConnectionOverview> {
    this.overviews += 1;
    return super.overview(userId);
  }
}

describe('cached connections', () => {
  let stored: CountingConnections;
  let cached: Cached<Connections>;
  let now: number;

  beforeEach(async () => {
    stored = new CountingConnections();
    now = 1;
    cached = cachedConnections(stored, { now: () => now });
    await stored.save(connected, works);
  });

  const find = () => cached.find(1, 'sales_crm');
  const services = async () => [...(await cached.overview(1)).services];

  it('are read and decrypted once while they are cached', async () => {
    for (let calls = 0; calls < 100; calls += 1) expect(await find()).toEqual({ record: connected, status: works });
    for (let calls = 0; calls < 100; calls += 1) expect(await services()).toEqual(['sales_crm']);
    expect([stored.reads, stored.overviews]).toEqual([1, 1]);
    expect(await cached.find(2, 'sales_crm')).toBeNull();
    expect(await cached.find(1, 'tracker')).toBeNull();
  });

  it('show a change by another process after two seconds at the latest', async () => {
    await find();
    await services();
    await stored.save({ ...connected, accessToken: 'access-of-another' }, reconnect);
    now += 1_999;
    expect(await find()).toEqual({ record: connected, status: works });
    now += 2;
    expect(await find()).toMatchObject({ record: { accessToken: 'access-of-another' }, status: reconnect });
    await stored.remove(1, 'sales_crm');
    now += 2_001;
    expect([await find(), await services()]).toEqual([null, []]);
  });

  const changed = { ...connected, accessToken: 'access-1' };

  it.each<[string, () => Promise<unknown>, object | null]>([
    ['saved', () => cached.save(changed, works), { record: changed, status: works }],
    ['replaced', () => cached.replace(connected, changed), { record: changed, status: works }],
    ['removed', () => cached.remove(1, 'sales_crm'), null],
    ['refused', () => cached.changeStatus(place, reconnect), { record: connected, status: reconnect }],
  ])('show at once that this process has %s them', async (_, change, expected) => {
    await find();
    await services();
    await change();
    expect([await find(), await services()]).toEqual([expected, expected === null ? [] : ['sales_crm']]);
  });

  it('show a change by another process at once when it is published', async () => {
    await find();
    await services();
    await stored.remove(1, 'sales_crm');
    cached.forgetUser(1);
    expect([await find(), await services()]).toEqual([null, []]);
  });

  it('are not cached from before a change that was made while they were read', async () => {
    const gate = Promise.withResolvers<void>();
    stored.gate = gate.promise;
    const before = find();
    await cached.save(changed, works);
    gate.resolve();
    expect(await before).toMatchObject({ record: connected });
    expect(await find()).toMatchObject({ record: changed });
  });

  it('are read again once somebody has looked at what is stored', async () => {
    await find();
    await stored.save(changed, works);
    expect(await cached.reload(1, 'sales_crm')).toMatchObject({ record: changed });
    expect(await find()).toMatchObject({ record: changed });
  });

  it('are read again after a change that failed, whose effect is unknown', async () => {
    await find();
    stored.save = () => Promise.reject(new Error('the disk is full'));
    await expect(cached.save(changed, works)).rejects.toThrow('the disk is full');
    await find();
    expect(stored.reads).toBe(2);
  });
});

describe('a token that another process has renewed', () => {
  it('is used at once by a call that was refused with the former one, and by later calls', async () => {
    const harness = new ConnectionHarness();
    await harness.keep(connected);
    const [here, there] = [harness.process(), harness.process()];
    expect(await here.find(1, 'sales_crm')).toMatchObject({ ok: true, value: { accessToken: 'access-0' } });
    expect(await there.renew(connected)).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(await here.renew(connected)).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(await here.find(1, 'sales_crm')).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(harness.provider.shown).toEqual(['refresh-0']);
  });

  it('is reported as missing to a refused call once another process has disconnected', async () => {
    const harness = new ConnectionHarness();
    await harness.keep(connected);
    const here = harness.process();
    await here.find(1, 'sales_crm');
    await harness.connections.remove(1, 'sales_crm');
    expect(await here.renew(connected)).toMatchObject({ ok: false, failure: { reason: 'not_connected' } });
    expect(await here.find(1, 'sales_crm')).toMatchObject({ ok: false, failure: { reason: 'not_connected' } });
  });
});
