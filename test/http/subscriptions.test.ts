import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Leases } from '#application/ports/leases.ts';
import type { SubscriptionLedger } from '#application/ports/subscription-ledger.ts';
import { err } from '#domain/shared/result.ts';
import type { HookServiceKey } from '#domain/subscriptions/subscription.ts';
import {
  hookSecrets,
  hookUrl,
  openSubscriptionHouse,
  type SubscriptionHouse,
} from '#test/support/subscription-house.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const allThere = { sales_crm: 3, suite_crm: 1, tracker: 1 };

describe.each([
  ['neutral', false],
  ['own', true],
] as const)('hooks over real sockets, %s dialects', (_, isOwn) => {
  let house: SubscriptionHouse;

  beforeEach(async () => {
    house = await openSubscriptionHouse(isOwn);
  });
  afterEach(() => house.close());

  const reasons = () =>
    house.logged.flatMap(({ service, why }) =>
      typeof why === 'string' ? [`${typeof service === 'string' ? service : ''} ${why}`] : [],
    );
  const watchRequests = () => house.suite.requests.filter((request) => request.includes('actions/watch'));

  /** A ledger that dies before it has stored what the provider answered. */
  function dyingBeforeActive(): SubscriptionLedger {
    return {
      list: () => house.ledger.list(),
      remove: (line) => house.ledger.remove(line),
      keep: (line) => (line.state === 'active' ? Promise.reject(new Error('killed')) : house.ledger.keep(line)),
    };
  }
  /** One run for one service in a process that is killed between the provider's answer and our store. */
  const runKilled = (service: HookServiceKey) =>
    expect(
      house
        .reconciler({
          ledger: dyingBeforeActive(),
          providers: house.hooksWith('mark').filter((hooks) => hooks.service === service),
        })
        .run(),
    ).rejects.toThrow('killed');

  it('registers what is missing, once, with the secrets of the receivers (WREG-001)', async () => {
    expect(await house.reconcile()).toBe(5);
    expect(house.remoteCounts()).toEqual(allThere);
    expect(await house.reconcile()).toBe(0);
    expect(house.remoteCounts()).toEqual(allThere);

    expect(house.sales.hooks.registered().map(({ url, action, object }) => [url, action, object])).toEqual(
      ['deal', 'person', 'organization'].map((object) => [hookUrl('sales_crm'), isOwn ? 'change' : 'updated', object]),
    );
    const [deal] = house.sales.hooks.registered();
    expect([deal?.user, deal?.password]).toEqual(isOwn ? ['portolan', 'a password'] : [null, null]);
    expect(house.suite.openChannels()).toMatchObject([
      {
        url: hookUrl('suite_crm'),
        token: hookSecrets.suite_crm,
        events: ['Leads.all', 'Contacts.all', 'Accounts.all', 'Deals.all'],
      },
    ]);
    expect(house.tracker.space.all('Webhook')).toMatchObject([
      {
        url: hookUrl('tracker'),
        secret: hookSecrets.tracker,
        resourceTypes: [isOwn ? 'Issue' : 'Issues'],
        allPublicTeams: true,
      },
    ]);
  });

  it('keeps no secret in the ledger', async () => {
    await house.reconcile();
    const text = JSON.stringify(await house.ledger.list());
    for (const secret of Object.values(hookSecrets)) expect(text).not.toContain(secret);
    expect(text).not.toContain('a password');
  });

  it('asks no provider anything while nothing is due', async () => {
    await house.reconcile();
    const before = [house.sales.requests.length, house.suite.requests.length, house.tracker.requests.length];
    house.suite.advance(59 * minute);
    await house.reconcile();
    expect([house.sales.requests.length, house.suite.requests.length, house.tracker.requests.length]).toEqual(before);
  });

  it('a channel lives for less than seven days, and is renewed at 70 % of that, before it ends (WREG-003)', async () => {
    await house.reconcile();
    const [channel] = house.suite.openChannels();
    const registeredAt = (await house.linesOf('suite_crm'))[0]?.registeredAt ?? 0;
    const lifeMs = (channel?.expiresAt ?? 0) - registeredAt;
    expect(lifeMs).toBeGreaterThan(6 * day);
    expect(lifeMs).toBeLessThan(7 * day);

    house.suite.advance(Math.round(0.69 * lifeMs));
    await house.reconcile();
    expect(house.suite.openChannels()).toEqual([channel]);
    house.suite.advance(Math.round(0.02 * lifeMs));
    await house.reconcile();
    const [renewed] = house.suite.openChannels();
    expect(house.suite.openChannels()).toHaveLength(1);
    expect(renewed?.id).toBe(channel?.id);
    expect(renewed?.expiresAt).toBeGreaterThan((channel?.expiresAt ?? 0) + 4 * day);
    expect(reasons()).toContain('suite_crm ageing');
  });

  it('goes on for a month without a gap (WREG-003)', async () => {
    const providers = house.hooksWith('mark').filter(({ service }) => service === 'suite_crm');
    await house.reconciler({ providers }).run();
    for (let days = 0; days < 30; days += 1) {
      house.suite.advance(day);
      expect(house.suite.openChannels()).toHaveLength(1);
      await house.reconciler({ providers }).run();
    }
    // Each life is renewed on its fifth day.
    expect(reasons().filter((reason) => reason === 'suite_crm ageing')).toHaveLength(6);
  });

  it('heals a renewal that it missed: after eight days of standstill the channel is there again', async () => {
    await house.reconcile();
    house.suite.advance(8 * day);
    expect(house.suite.openChannels()).toEqual([]);
    await house.reconcile();
    expect(house.suite.openChannels()).toHaveLength(1);
    expect(reasons()).toContain('suite_crm expired');
  });

  it('a provider that is down during the renewal is tried again, later and later, until it is healed', async () => {
    await house.reconcile();
    house.suite.advance(5 * day);
    house.suite.failNext({ status: 503, times: 1_000, path: /actions\/watch/ });
    await house.reconcile();
    const [failing] = await house.linesOf('suite_crm');
    expect(failing).toMatchObject({ state: 'active', failures: 1 });
    expect(failing?.reason).toContain('503');
    expect(failing?.retryAt).toBeGreaterThan(house.clock.now() + minute / 2);

    const asked = watchRequests().length;
    await house.reconcile();
    expect(watchRequests()).toHaveLength(asked);
    house.suite.advance(minute);
    await house.reconcile();
    expect(await house.linesOf('suite_crm')).toMatchObject([{ failures: 2 }]);

    house.suite.healAll();
    house.suite.advance(2 * minute);
    await house.reconcile();
    expect(await house.linesOf('suite_crm')).toMatchObject([{ state: 'active', failures: 0, reason: null }]);
    expect(house.suite.openChannels()[0]?.expiresAt).toBeGreaterThan(house.clock.now() + 6 * day);
  });

  it('notices within the hour that a channel was closed elsewhere (WREG-002)', async () => {
    await house.reconcile();
    house.suite.closeChannels();
    house.suite.advance(hour);
    await house.reconcile();
    expect(house.suite.openChannels()).toHaveLength(1);
    expect(reasons()).toContain('suite_crm lost');
  });

  it('closes a second channel to the same address', async () => {
    await house.reconcile();
    const [channel] = house.suite.openChannels();
    if (channel === undefined) throw new Error('no channel');
    house.suite.openChannel({ ...channel, id: '4711' });
    house.suite.advance(hour);
    await house.reconcile();
    expect(house.suite.openChannels().map(({ id }) => id)).toEqual([channel.id]);
  });

  it('a new secret is told to the hooks that are told one, and nothing is there twice (WREG-002)', async () => {
    await house.reconcile();
    await house.reconciler({ providers: house.hooksWith('another') }).run();
    expect(house.remoteCounts()).toEqual(allThere);
    expect(reasons().filter((reason) => reason.endsWith('changed'))).toEqual([
      ...(isOwn ? ['sales_crm changed', 'sales_crm changed', 'sales_crm changed'] : []),
      'suite_crm changed',
      'tracker changed',
    ]);
  });

  it('two reconcilers at once register once (WREG-001)', async () => {
    await Promise.all([house.reconciler().run(), house.reconciler().run(), house.reconciler().run()]);
    expect(house.remoteCounts()).toEqual(allThere);
  });

  it('two that both believe that they hold the lease register once: the ledger decides', async () => {
    const leases: Leases = { acquire: async () => 1, release: async () => true };
    const one = house.reconciler({ leases });
    const other = house.reconciler({ leases });
    await Promise.all([one.run(), other.run()]);
    expect(house.remoteCounts()).toEqual(allThere);
    expect((await house.ledger.list()).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'active'));
  });

  it.each(['suite_crm', 'tracker'] as const)(
    '%s: killed between the answer and the store, it is there once (WREG-004)',
    async (service) => {
      await runKilled(service);
      expect(house.remoteCounts()[service]).toBe(1);
      expect(await house.linesOf(service)).toMatchObject([{ state: 'registering' }]);
      await house.reconcile();
      expect(house.remoteCounts()).toEqual(allThere);
      expect(await house.linesOf(service)).toMatchObject([{ state: 'active' }]);
      expect(reasons()).toContain(`${service} answer_lost`);
    },
  );

  it('sales_crm: killed between the answer and the store, it is looked up, or told where it cannot be (WREG-004)', async () => {
    await runKilled('sales_crm');
    expect(house.remoteCounts().sales_crm).toBe(1);
    await house.reconcile();
    await house.reconcile();
    expect(house.remoteCounts().sales_crm).toBe(3);
    const states = (await house.linesOf('sales_crm')).map(({ name, state }) => [name, state]);
    expect(Object.fromEntries(states)).toEqual({
      'updated.deal': isOwn ? 'active' : 'uncertain',
      'updated.person': 'active',
      'updated.organization': 'active',
    });
    if (isOwn) return;
    expect(house.logged.some(({ message }) => message.includes('A webhook may be registered'))).toBe(true);
    await house.deliver('sales_crm');
    await house.reconcile();
    expect((await house.linesOf('sales_crm')).every(({ state }) => state === 'active')).toBe(true);
    expect(house.remoteCounts().sales_crm).toBe(3);
  });

  it('a provider that is down at first gets its hooks when it is up', async () => {
    house.sales.failNext({ status: 503, times: 1_000 });
    await house.reconcile();
    expect(house.remoteCounts()).toEqual({ ...allThere, sales_crm: 0 });
    const lines = await house.linesOf('sales_crm');
    expect(lines.map(({ state }) => state)).toEqual(['wanted', 'wanted', 'wanted']);
    house.sales.healAll();
    house.suite.advance(minute + 1);
    await house.reconcile();
    expect(house.remoteCounts()).toEqual(allThere);
  });

  it('disconnecting removes the hooks, as far as the provider can, and nothing registers them meanwhile (WREG-005)', async () => {
    await house.reconcile();
    for (const service of ['sales_crm', 'suite_crm', 'tracker'] as const) {
      await house.forget.run(1, service);
      await house.reconcile();
      await house.connections.remove(1, service);
    }
    const left = isOwn ? 0 : 3;
    expect(house.remoteCounts()).toEqual({ sales_crm: left, suite_crm: 0, tracker: 0 });
    await house.reconcile();
    const lines = await house.ledger.list();
    expect(lines.map(({ state }) => state)).toEqual(Array.from({ length: left }, () => 'left'));
    expect(lines.every(({ remoteId, reason }) => remoteId !== null && reason !== null)).toBe(true);
  });

  it('who connects again has each hook once', async () => {
    await house.reconcile();
    for (const service of ['sales_crm', 'suite_crm', 'tracker'] as const) {
      await house.disconnect(service);
      await house.connect(service);
    }
    house.suite.advance(minute + 1);
    await house.reconcile();
    expect(house.remoteCounts()).toEqual(allThere);
    expect((await house.ledger.list()).every(({ state }) => state === 'active')).toBe(true);
  });

  it('a provider that does not answer keeps its hooks at a disconnect, and the ledger says so', async () => {
    await house.reconcile();
    house.suite.failNext({ status: 503, times: 1_000, path: /actions\/watch/ });
    await house.disconnect('suite_crm');
    expect(await house.linesOf('suite_crm')).toMatchObject([{ state: 'left' }]);
    house.suite.healAll();
    house.suite.advance(7 * day);
    await house.reconcile();
    expect(await house.linesOf('suite_crm')).toEqual([]);
  });

  it('registers nothing, and asks nobody, while there is an obstacle', async () => {
    const obstacle = { reason: 'no_address', message: 'Set BASE_URL.' } as const;
    await house.reconciler({ addressOf: () => err(obstacle) }).run();
    expect(house.remoteCounts()).toEqual({ sales_crm: 0, suite_crm: 0, tracker: 0 });
    expect(await house.ledger.list()).toEqual([]);
    expect([house.sales.requests.length, house.suite.requests.length, house.tracker.requests.length]).toEqual([
      0, 0, 0,
    ]);
  });

  it('shows each hook, how long it has left, and the last delivery', async () => {
    await house.reconcile();
    expect((await house.view.subscriptionsOf(1, 'suite_crm')).lastDeliveryAt).toBeNull();
    await house.deliver('suite_crm');
    const shown = await house.view.subscriptionsOf(1, 'suite_crm');
    expect(shown).toMatchObject({ obstacle: null, hooks: [{ name: 'records', state: 'active', reason: null }] });
    expect(shown.hooks[0]?.secondsToExpiry).toBeGreaterThan(6 * 86_400);
    expect(shown.lastDeliveryAt).not.toBeNull();
    expect((await house.view.subscriptionsOf(1, 'signing')).obstacle).toMatchObject({ reason: 'by_hand' });
    expect((await house.view.subscriptionsOf(2, 'tracker')).hooks).toEqual([]);
  });
});

describe('hooks that the sender switches off, own dialects', () => {
  let house: SubscriptionHouse;

  beforeEach(async () => {
    house = await openSubscriptionHouse(true);
    await house.reconcile();
  });
  afterEach(() => house.close());

  it('tracker: after repeated delivery failures it is disabled; it is noticed and made again (WREG-002)', async () => {
    const [before] = house.tracker.space.all('Webhook');
    const { issue } = house.tracker.seed;
    house.tracker.space.change('Issue', issue, { title: 'Another title' });
    await house.tracker.deliveries.settled();
    for (let tries = 0; tries < 3; tries += 1) await house.tracker.deliveries.retryFailed();
    expect(before?.['enabled']).toBe(false);

    house.suite.advance(hour);
    await house.reconcile();
    const [after, ...others] = house.tracker.space.all('Webhook');
    expect(others).toEqual([]);
    expect(after?.['enabled']).toBe(true);
    expect(after?.id).not.toBe(before?.id);
    expect(house.logged).toContainEqual(expect.objectContaining({ service: 'tracker', why: 'disabled' }));
  });

  it('sales CRM: one that is not active any more is made again, the others stay', async () => {
    const [first, ...others] = house.sales.hooks.registered();
    house.sales.hooks.disable(first?.id ?? 0);
    house.suite.advance(hour);
    await house.reconcile();
    const after = house.sales.hooks.registered();
    expect(after.map(({ id }) => id)).toEqual([...others.map(({ id }) => id), 4]);
    expect(after.every(({ isActive }) => isActive)).toBe(true);
  });
});
