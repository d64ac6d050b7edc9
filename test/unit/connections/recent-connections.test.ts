import { beforeEach, describe, expect, it } from 'vitest';
import { RecentConnections } from '#adapters/memory/recent-connections.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { MemoryConnectionStandings } from '#test/doubles/memory-connection-standings.ts';
import { MemoryOutboundTokens } from '#test/doubles/memory-outbound-tokens.ts';
import { ConnectionHarness, connected, start } from '#test/support/connections/connection-harness.ts';

const reconnect = {
  userId: 1,
  service: 'sales_crm',
  state: 'reconnect',
  since: start + 1,
  reason: 'It was refused.',
} as const;

/** Stored connections that count how often they are read. */
class CountingTokens extends MemoryOutboundTokens {
  reads = 0;
  /** What a read waits for. */
  gate: Promise<void> = Promise.resolve();

  override async find(...place: Parameters<MemoryOutboundTokens['find']>): Promise<TokenRecord | null> {
    this.reads += 1;
    const record = await super.find(...place);
    await this.gate;
    return record;
  }
}

describe('connections that calls find', () => {
  let stored: CountingTokens;
  let standings: MemoryConnectionStandings;
  let recent: RecentConnections;
  let now: number;

  beforeEach(async () => {
    stored = new CountingTokens();
    standings = new MemoryConnectionStandings();
    now = 1;
    recent = new RecentConnections(stored, standings, { now: () => now });
    await stored.keep(connected);
  });

  const find = () => recent.find(1, 'sales_crm');

  it('are read and decrypted once, for as long as they are remembered', async () => {
    for (let calls = 0; calls < 100; calls += 1) expect(await find()).toEqual({ record: connected, kept: null });
    expect(stored.reads).toBe(1);
    expect(await recent.find(2, 'sales_crm')).toEqual({ record: null, kept: null });
    expect(await recent.find(1, 'tracker')).toEqual({ record: null, kept: null });
  });

  it('are seen as another process has changed them two seconds later at the latest', async () => {
    await find();
    await stored.keep({ ...connected, accessToken: 'access-of-another' });
    await standings.keep(reconnect);
    now += 1_999;
    expect(await find()).toEqual({ record: connected, kept: null });
    now += 2;
    expect(await find()).toMatchObject({ record: { accessToken: 'access-of-another' }, kept: reconnect });
    await stored.remove(1, 'sales_crm');
    now += 2_001;
    expect(await find()).toMatchObject({ record: null });
  });

  const changed = { ...connected, accessToken: 'access-1' };

  it.each<[string, () => Promise<unknown>, object]>([
    ['kept', () => recent.tokens.keep(changed), { record: changed, kept: null }],
    ['replaced', () => recent.tokens.replace(connected, changed), { record: changed, kept: null }],
    ['removed', () => recent.tokens.remove(1, 'sales_crm'), { record: null, kept: null }],
    ['refused', () => recent.standings.keep(reconnect), { record: connected, kept: reconnect }],
  ])('are seen at once as this process has %s them', async (_, change, expected) => {
    await find();
    await change();
    expect(await find()).toEqual(expected);
  });

  it('are seen at once when what is kept of how they stand is forgotten', async () => {
    await standings.keep(reconnect);
    await find();
    await recent.standings.remove(1, 'sales_crm');
    expect(await find()).toMatchObject({ kept: null });
  });

  it('are not remembered from before a change that was made while they were read', async () => {
    const gate = Promise.withResolvers<void>();
    stored.gate = gate.promise;
    const before = find();
    await recent.tokens.keep(changed);
    gate.resolve();
    expect(await before).toMatchObject({ record: connected });
    expect(await find()).toMatchObject({ record: changed });
  });

  it('are looked up anew once somebody has looked at what is stored', async () => {
    await find();
    await stored.keep(changed);
    expect(await recent.tokens.find(1, 'sales_crm')).toEqual(changed);
    expect(await find()).toMatchObject({ record: changed });
  });

  it('are looked up anew after a change that failed: nobody knows what came of it', async () => {
    await find();
    stored.keep = () => Promise.reject(new Error('the disk is full'));
    await expect(recent.tokens.keep(changed)).rejects.toThrow('the disk is full');
    await find();
    expect(stored.reads).toBe(2);
  });
});

describe('a token that another process has renewed', () => {
  it('is taken at once by who is refused with the former one, and by the calls after it', async () => {
    const harness = new ConnectionHarness();
    await harness.tokens.keep(connected);
    const [here, there] = [harness.process(), harness.process()];
    expect(await here.find(1, 'sales_crm')).toMatchObject({ ok: true, value: { accessToken: 'access-0' } });
    expect(await there.renew(connected)).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(await here.renew(connected)).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(await here.find(1, 'sales_crm')).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(harness.provider.shown).toEqual(['refresh-0']);
  });

  it('is told as gone to who is refused, once another process has disconnected', async () => {
    const harness = new ConnectionHarness();
    await harness.tokens.keep(connected);
    const here = harness.process();
    await here.find(1, 'sales_crm');
    await harness.tokens.remove(1, 'sales_crm');
    expect(await here.renew(connected)).toMatchObject({ ok: false, failure: { reason: 'not_connected' } });
    expect(await here.find(1, 'sales_crm')).toMatchObject({ ok: false, failure: { reason: 'not_connected' } });
  });
});
