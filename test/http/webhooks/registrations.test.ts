import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Leases } from '#application/ports/leases.ts';
import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import { isLong } from '#test/support/form.ts';
import {
  openRegistrationHarness,
  type RegistrationHarness,
  webhookSecrets,
  webhookUrl,
} from '#test/support/webhooks/registration-harness.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const conflict =
  ' A webhook made by hand has this address already (Issue comments). If only one may have it, remove that one in the settings of the service.';
const allThere = { sales_crm: 3, suite_crm: 1, tracker: 1 };

describe.each([
  ['neutral', false],
  ['vendor', true],
] as const)('webhooks over real sockets, %s dialects', (_, isVendor) => {
  let harness: RegistrationHarness;

  beforeEach(async () => {
    harness = await openRegistrationHarness(isVendor);
  });
  afterEach(() => harness.close());

  /** A test of what has nothing to do with the words: in the short form in one dialect. */
  const itInOne = it.skipIf(isVendor && !isLong);

  const reasons = () =>
    harness.logged.flatMap(({ service, why }) =>
      typeof why === 'string' ? [`${typeof service === 'string' ? service : ''} ${why}`] : [],
    );
  const watchRequests = () => harness.suite.requests.filter((request) => request.includes('actions/watch'));

  /** A store that dies before it has stored what the provider answered. */
  function dyingBeforeActive(): WebhookRegistrations {
    return {
      list: () => harness.registrations.list(),
      remove: (line) => harness.registrations.remove(line),
      keep: (line) =>
        line.state === 'active' ? Promise.reject(new Error('killed')) : harness.registrations.keep(line),
    };
  }
  /** One run for one service in a process that is killed between the provider's answer and our store. */
  const runKilled = (service: ServiceKey) =>
    expect(
      harness
        .reconciler({
          registrations: dyingBeforeActive(),
          providers: harness.webhooksWith('mark').filter((webhooks) => webhooks.service === service),
        })
        .run(),
    ).rejects.toThrow('killed');

  it('are registered if they are missing, once, with the secrets of the receivers (WREG-001)', async () => {
    expect(await harness.reconcile()).toBe(5);
    expect(harness.remoteCounts()).toEqual(allThere);
    expect(await harness.reconcile()).toBe(0);
    expect(harness.remoteCounts()).toEqual(allThere);

    expect(harness.sales.webhooks.registered().map(({ url, action, object }) => [url, action, object])).toEqual(
      ['deal', 'person', 'organization'].map((object) => [
        webhookUrl('sales_crm'),
        isVendor ? 'change' : 'updated',
        object,
      ]),
    );
    const [deal] = harness.sales.webhooks.registered();
    expect([deal?.user, deal?.password]).toEqual(isVendor ? ['portolan', 'a password'] : [null, null]);
    expect(harness.suite.openChannels()).toMatchObject([
      {
        url: webhookUrl('suite_crm'),
        token: webhookSecrets.suite_crm,
        events: ['Leads.all', 'Contacts.all', 'Accounts.all', 'Deals.all'],
      },
    ]);
    expect(harness.tracker.space.all('Webhook')).toMatchObject([
      {
        url: webhookUrl('tracker'),
        secret: webhookSecrets.tracker,
        resourceTypes: [isVendor ? 'Issue' : 'Issues'],
        allPublicTeams: true,
      },
    ]);
  });

  it('are stored without a secret', async () => {
    await harness.reconcile();
    const text = JSON.stringify(await harness.registrations.list());
    for (const secret of Object.values(webhookSecrets)) expect(text).not.toContain(secret);
    expect(text).not.toContain('a password');
  });

  it('are listed by the services without their secrets (OP-017)', async () => {
    await harness.reconcile();
    const asked = [
      ['sales_crm', 'webhooks.list'],
      ['suite_crm', 'watch.list'],
      ['tracker', 'webhooks.list'],
    ] as const;
    const answers = await Promise.all(
      asked.map(([service, name]) => harness.operations.call({ userId: 1, service, name, input: {} })),
    );
    const text = JSON.stringify(answers);
    expect(text).toContain(webhookUrl('suite_crm'));
    for (const secret of [...Object.values(webhookSecrets), 'a password']) expect(text).not.toContain(secret);
  });

  itInOne('asks no provider anything while nothing is due', async () => {
    await harness.reconcile();
    const before = [harness.sales.requests.length, harness.suite.requests.length, harness.tracker.requests.length];
    harness.suite.advance(59 * minute);
    await harness.reconcile();
    expect([harness.sales.requests.length, harness.suite.requests.length, harness.tracker.requests.length]).toEqual(
      before,
    );
  });

  it('include a channel that lives for less than seven days, and is renewed at 70 % of that, before it ends (WREG-003)', async () => {
    await harness.reconcile();
    const [channel] = harness.suite.openChannels();
    const registeredAt = (await harness.linesOf('suite_crm'))[0]?.registeredAt ?? 0;
    const lifeMs = (channel?.expiresAt ?? 0) - registeredAt;
    expect(lifeMs).toBeGreaterThan(6 * day);
    expect(lifeMs).toBeLessThan(7 * day);

    harness.suite.advance(Math.round(0.69 * lifeMs));
    await harness.reconcile();
    expect(harness.suite.openChannels()).toEqual([channel]);
    harness.suite.advance(Math.round(0.02 * lifeMs));
    await harness.reconcile();
    const [renewed] = harness.suite.openChannels();
    expect(harness.suite.openChannels()).toHaveLength(1);
    expect(renewed?.id).toBe(channel?.id);
    expect(renewed?.expiresAt).toBeGreaterThan((channel?.expiresAt ?? 0) + 4 * day);
    expect(reasons()).toContain('suite_crm ageing');
  });

  itInOne('goes on for a month without a gap (WREG-003)', async () => {
    const providers = harness.webhooksWith('mark').filter(({ service }) => service === 'suite_crm');
    await harness.reconciler({ providers }).run();
    for (let days = 0; days < 30; days += 1) {
      harness.suite.advance(day);
      expect(harness.suite.openChannels()).toHaveLength(1);
      await harness.reconciler({ providers }).run();
    }
    // Each life is renewed on its fifth day.
    expect(reasons().filter((reason) => reason === 'suite_crm ageing')).toHaveLength(6);
  });

  itInOne('heals a renewal that it missed: after eight days of standstill the channel is there again', async () => {
    await harness.reconcile();
    harness.suite.advance(8 * day);
    expect(harness.suite.openChannels()).toEqual([]);
    await harness.reconcile();
    expect(harness.suite.openChannels()).toHaveLength(1);
    expect(reasons()).toContain('suite_crm expired');
  });

  itInOne(
    'a provider that is down during the renewal is tried again, later and later, until it is healed',
    async () => {
      await harness.reconcile();
      harness.suite.advance(5 * day);
      harness.suite.failNext({ status: 503, times: 1_000, path: /actions\/watch/ });
      await harness.reconcile();
      const [failing] = await harness.linesOf('suite_crm');
      expect(failing).toMatchObject({ state: 'active', failures: 1 });
      expect(failing?.reason).toContain('503');
      expect(failing?.retryAt).toBeGreaterThan(harness.clock.now() + minute / 2);

      const asked = watchRequests().length;
      await harness.reconcile();
      expect(watchRequests()).toHaveLength(asked);
      harness.suite.advance(minute);
      await harness.reconcile();
      expect(await harness.linesOf('suite_crm')).toMatchObject([{ failures: 2 }]);

      harness.suite.healAll();
      harness.suite.advance(2 * minute);
      await harness.reconcile();
      expect(await harness.linesOf('suite_crm')).toMatchObject([{ state: 'active', failures: 0, reason: null }]);
      expect(harness.suite.openChannels()[0]?.expiresAt).toBeGreaterThan(harness.clock.now() + 6 * day);
    },
  );

  it('include a channel whose closing elsewhere is noticed within the hour (WREG-002)', async () => {
    await harness.reconcile();
    harness.suite.closeChannels();
    harness.suite.advance(hour);
    await harness.reconcile();
    expect(harness.suite.openChannels()).toHaveLength(1);
    expect(reasons()).toContain('suite_crm lost');
  });

  it('lose a second channel to the same address', async () => {
    await harness.reconcile();
    const [channel] = harness.suite.openChannels();
    if (channel === undefined) throw new Error('no channel');
    harness.suite.openChannel({ ...channel, id: '4711' });
    harness.suite.advance(hour);
    await harness.reconcile();
    expect(harness.suite.openChannels().map(({ id }) => id)).toEqual([channel.id]);
  });

  it('get a new secret if they have one, and none is there twice (WREG-002)', async () => {
    await harness.reconcile();
    await harness.reconciler({ providers: harness.webhooksWith('another') }).run();
    expect(harness.remoteCounts()).toEqual(allThere);
    expect(reasons().filter((reason) => reason.endsWith('changed'))).toEqual([
      ...(isVendor ? ['sales_crm changed', 'sales_crm changed', 'sales_crm changed'] : []),
      'suite_crm changed',
      'tracker changed',
    ]);
  });

  itInOne('two reconcilers at once register once (WREG-001)', async () => {
    await Promise.all([harness.reconciler().run(), harness.reconciler().run(), harness.reconciler().run()]);
    expect(harness.remoteCounts()).toEqual(allThere);
  });

  itInOne('two that both believe that they hold the lease register once: the store decides', async () => {
    const leases: Leases = { acquire: async () => 1, release: async () => true };
    const one = harness.reconciler({ leases });
    const other = harness.reconciler({ leases });
    await Promise.all([one.run(), other.run()]);
    expect(harness.remoteCounts()).toEqual(allThere);
    expect((await harness.registrations.list()).map(({ state }) => state)).toEqual(
      Array.from({ length: 5 }, () => 'active'),
    );
  });

  it.each(['suite_crm', 'tracker'] as const)(
    'of %s are there once when the server was killed between the answer and the store (WREG-004)',
    async (service) => {
      await runKilled(service);
      expect(harness.remoteCounts()[service]).toBe(1);
      expect(await harness.linesOf(service)).toMatchObject([{ state: 'registering' }]);
      await harness.reconcile();
      expect(harness.remoteCounts()).toEqual(allThere);
      expect(await harness.linesOf(service)).toMatchObject([{ state: 'active' }]);
      expect(reasons()).toContain(`${service} answer_lost`);
    },
  );

  it('of the sales CRM are looked up when the server was killed between the answer and the store, or reported if they cannot be (WREG-004)', async () => {
    await runKilled('sales_crm');
    expect(harness.remoteCounts().sales_crm).toBe(1);
    await harness.reconcile();
    await harness.reconcile();
    expect(harness.remoteCounts().sales_crm).toBe(3);
    const states = (await harness.linesOf('sales_crm')).map(({ name, state }) => [name, state]);
    expect(Object.fromEntries(states)).toEqual({
      'updated.deal': isVendor ? 'active' : 'uncertain',
      'updated.person': 'active',
      'updated.organization': 'active',
    });
    if (isVendor) return;
    expect(harness.logged.some(({ message }) => message.includes('A webhook may be registered'))).toBe(true);
    await harness.deliver('sales_crm');
    await harness.reconcile();
    expect((await harness.linesOf('sales_crm')).every(({ state }) => state === 'active')).toBe(true);
    expect(harness.remoteCounts().sales_crm).toBe(3);
  });

  itInOne('a provider that is down at first gets its webhooks when it is up', async () => {
    harness.sales.failNext({ status: 503, times: 1_000 });
    await harness.reconcile();
    expect(harness.remoteCounts()).toEqual({ ...allThere, sales_crm: 0 });
    const lines = await harness.linesOf('sales_crm');
    expect(lines.map(({ state }) => state)).toEqual(['wanted', 'wanted', 'wanted']);
    harness.sales.healAll();
    harness.suite.advance(minute + 1);
    await harness.reconcile();
    expect(harness.remoteCounts()).toEqual(allThere);
  });

  it('are removed on disconnecting, as far as the provider can, and not registered meanwhile (WREG-005)', async () => {
    await harness.reconcile();
    for (const service of ['sales_crm', 'suite_crm', 'tracker'] as const) {
      await harness.forget.run(1, service);
      await harness.reconcile();
      await harness.connections.remove(1, service);
    }
    const left = isVendor ? 0 : 3;
    expect(harness.remoteCounts()).toEqual({ sales_crm: left, suite_crm: 0, tracker: 0 });
    await harness.reconcile();
    const lines = await harness.registrations.list();
    expect(lines.map(({ state }) => state)).toEqual(Array.from({ length: left }, () => 'left'));
    expect(lines.every(({ remoteId, reason }) => remoteId !== null && reason !== null)).toBe(true);
  });

  itInOne('who connects again has each webhook once', async () => {
    await harness.reconcile();
    for (const service of ['sales_crm', 'suite_crm', 'tracker'] as const) {
      await harness.disconnect(service);
      await harness.connect(service);
    }
    harness.suite.advance(minute + 1);
    await harness.reconcile();
    expect(harness.remoteCounts()).toEqual(allThere);
    expect((await harness.registrations.list()).every(({ state }) => state === 'active')).toBe(true);
  });

  itInOne(
    'a provider that does not answer keeps its webhooks at a disconnect, and the registration says so',
    async () => {
      await harness.reconcile();
      harness.suite.failNext({ status: 503, times: 1_000, path: /actions\/watch/ });
      await harness.disconnect('suite_crm');
      expect(await harness.linesOf('suite_crm')).toMatchObject([{ state: 'left' }]);
      harness.suite.healAll();
      harness.suite.advance(7 * day);
      await harness.reconcile();
      expect(await harness.linesOf('suite_crm')).toEqual([]);
    },
  );

  itInOne('registers nothing, and asks nobody, while there is an obstacle', async () => {
    const reasonToWait = { reason: 'no_address', message: 'Set BASE_URL.' } as const;
    await harness.reconciler({ addressOf: () => err(reasonToWait) }).run();
    expect(harness.remoteCounts()).toEqual({ sales_crm: 0, suite_crm: 0, tracker: 0 });
    expect(await harness.registrations.list()).toEqual([]);
    expect([harness.sales.requests.length, harness.suite.requests.length, harness.tracker.requests.length]).toEqual([
      0, 0, 0,
    ]);
  });

  itInOne('changes nothing, and asks nobody, while the automation user is deactivated (WREG-007)', async () => {
    await harness.reconcile();
    const before = [harness.sales.requests.length, harness.suite.requests.length, harness.tracker.requests.length];
    const automation = { id: 1, reasonToWait: async () => 'The automation user is deactivated.' };
    harness.suite.advance(5 * day);
    expect(await harness.reconciler({ automation }).run()).toBe(0);
    await harness.connections.remove(1, 'tracker');
    expect(await harness.reconciler({ automation }).run()).toBe(0);
    expect([harness.sales.requests.length, harness.suite.requests.length, harness.tracker.requests.length]).toEqual(
      before,
    );
    expect(await harness.linesOf('tracker')).toHaveLength(1);
    expect(await harness.reconcile()).toBeGreaterThan(0);
  });

  itInOne('shows each webhook, how long it has left, and the last delivery', async () => {
    await harness.reconcile();
    expect((await harness.view.registrationsOf(1, 'suite_crm')).lastDeliveryAt).toBeNull();
    await harness.deliver('suite_crm');
    const shown = await harness.view.registrationsOf(1, 'suite_crm');
    expect(shown).toMatchObject({ failure: null, webhooks: [{ name: 'records', state: 'active', reason: null }] });
    expect(shown.webhooks[0]?.secondsToExpiry).toBeGreaterThan(6 * 86_400);
    expect(shown.lastDeliveryAt).not.toBeNull();
    expect((await harness.view.registrationsOf(1, 'signing')).failure).toMatchObject({ reason: 'by_hand' });
    expect((await harness.view.registrationsOf(2, 'tracker')).webhooks).toEqual([]);
  });
});

describe("webhooks that the sender disables, in the vendors' dialects", () => {
  let harness: RegistrationHarness;

  beforeEach(async () => {
    harness = await openRegistrationHarness(true);
    await harness.reconcile();
  });
  afterEach(() => harness.close());

  it('of the tracker are noticed and created again after repeated delivery failures (WREG-002)', async () => {
    const [before] = harness.tracker.space.all('Webhook');
    const { issue } = harness.tracker.seed;
    harness.tracker.space.change('Issue', issue, { title: 'Another title' });
    await harness.tracker.deliveries.settled();
    for (let tries = 0; tries < 3; tries += 1) await harness.tracker.deliveries.retryFailed();
    expect(before?.['enabled']).toBe(false);

    harness.suite.advance(hour);
    await harness.reconcile();
    const [after, ...others] = harness.tracker.space.all('Webhook');
    expect(others).toEqual([]);
    expect(after?.['enabled']).toBe(true);
    expect(after?.id).not.toBe(before?.id);
    expect(harness.logged).toContainEqual(expect.objectContaining({ service: 'tracker', why: 'disabled' }));
  });

  it('of the sales CRM are created again if they are inactive, and the others stay', async () => {
    const [first, ...others] = harness.sales.webhooks.registered();
    harness.sales.webhooks.disable(first?.id ?? 0);
    harness.suite.advance(hour);
    await harness.reconcile();
    const after = harness.sales.webhooks.registered();
    expect(after.map(({ id }) => id)).toEqual([...others.map(({ id }) => id), 4]);
    expect(after.every(({ isActive }) => isActive)).toBe(true);
  });

  it('are set right within the hour if their address or events were changed at the provider (WREG-006)', async () => {
    const [deal, person] = harness.sales.webhooks.registered();
    const [channel] = harness.suite.openChannels();
    const [webhook] = harness.tracker.space.all('Webhook');
    if (deal === undefined || person === undefined || channel === undefined || webhook === undefined) throw new Error();
    harness.sales.webhooks.edit(deal.id, { url: 'https://elsewhere.example/hooks' });
    harness.sales.webhooks.edit(person.id, { action: 'delete' });
    harness.suite.openChannel({ ...channel, events: ['Leads.edit'] });
    harness.tracker.space.change('Webhook', webhook, { resourceTypes: ['Comment'] });
    await harness.tracker.deliveries.settled();

    harness.suite.advance(hour);
    await harness.reconcile();
    expect(harness.remoteCounts()).toEqual(allThere);
    const sold = harness.sales.webhooks.registered().map(({ url, action, object }) => [url, action, object]);
    expect(sold).toContainEqual([webhookUrl('sales_crm'), 'change', 'deal']);
    expect(sold).toContainEqual([webhookUrl('sales_crm'), 'change', 'person']);
    expect(harness.suite.openChannels()).toMatchObject([{ id: channel.id, events: channel.events }]);
    expect(harness.tracker.space.all('Webhook')).toMatchObject([{ resourceTypes: ['Issue'] }]);
    const changed = harness.logged.filter(({ why }) => why === 'changed').map(({ service }) => service);
    expect(changed).toEqual(['sales_crm', 'sales_crm', 'suite_crm', 'tracker']);
  });

  it('say so while a webhook made by hand sends their events to the same address too (WREG-008)', async () => {
    const byHand = await harness.operations.call({
      userId: 1,
      service: 'sales_crm',
      name: 'webhooks.create',
      input: { subscription_url: webhookUrl('sales_crm'), event_action: '*', event_object: 'deal' },
    });
    expect(byHand.ok).toBe(true);
    const remarks = async () =>
      Object.fromEntries((await harness.linesOf('sales_crm')).map(({ name, reason }) => [name, reason]));
    harness.suite.advance(hour);
    await harness.reconcile();
    const said =
      'Events come twice: a webhook made by hand sends them to this address too (*.deal). Remove it in the settings of the service.';
    const others = { 'updated.person': null, 'updated.organization': null };
    expect(await remarks()).toEqual({ 'updated.deal': said, ...others });
    expect(harness.sales.webhooks.registered()).toHaveLength(4);

    const { id = 0 } = harness.sales.webhooks.registered().at(-1) ?? {};
    harness.sales.webhooks.edit(id, { url: 'https://elsewhere.example' });
    harness.suite.advance(hour);
    await harness.reconcile();
    expect(await remarks()).toEqual({ 'updated.deal': null, ...others });
  });

  it.each<[string, Failure, string, boolean]>([
    ['refuses another one', failed('rejected', 'The url is not unique.'), conflict, false],
    ['refuses to give one back its address', failed('rejected', 'The url is not unique.'), conflict, true],
    ['is down', failed('unavailable', 'It answered 503.'), '', false],
  ])('name one made by hand with their address if the service %s (WREG-009)', async (_, failure, said, renews) => {
    const [before] = await harness.linesOf('tracker');
    const byHand = {
      remoteId: 'by-hand',
      url: webhookUrl('tracker'),
      events: ['Issue comments'],
      expiresAt: null,
      isEnabled: true,
    };
    const elsewhere = { ...byHand, remoteId: before?.remoteId ?? '', url: 'https://elsewhere.example' };
    const service: ProviderWebhooks = {
      service: 'tracker',
      desired: [{ name: 'issues', events: ['Issues'] }],
      abilities: { renews, removes: true },
      hasSecret: true,
      secretVariable: 'TRACKER_WEBHOOK_SECRET',
      secretFingerprint: 'mark',
      newId: () => null,
      list: async () => ok(renews ? [byHand, elsewhere] : [byHand]),
      create: async () => err({ failure, mayBeDone: false }),
      renew: async () => err(failure),
      remove: async () => ok(undefined),
    };
    harness.suite.advance(hour);
    await harness.reconciler({ providers: [service] }).run();
    const [line] = await harness.linesOf('tracker');
    expect(line).toMatchObject({ state: 'wanted', reason: `${failure.message}${said}` });
  });

  it('wait while one made by hand for other records has their address, name it, and are there once it is gone (WREG-009)', async () => {
    const { space } = harness.tracker;
    for (const webhook of space.all('Webhook')) space.remove('Webhook', webhook);
    space.hasUniqueUrls = true;
    const made = await harness.operations.call({
      userId: 1,
      service: 'tracker',
      name: 'webhooks.create',
      input: { url: webhookUrl('tracker'), resourceTypes: ['Issue comments'], allPublicTeams: true },
    });
    expect(made.ok).toBe(true);
    harness.suite.advance(hour);
    await harness.reconcile();
    const [line] = await harness.linesOf('tracker');
    expect(line).toMatchObject({ state: 'wanted', reason: expect.stringContaining(`url not unique.${conflict}`) });
    for (const webhook of space.all('Webhook')) space.remove('Webhook', webhook);
    harness.suite.advance(day);
    await harness.reconcile();
    expect(await harness.linesOf('tracker')).toMatchObject([{ state: 'active', reason: null }]);
  });

  it('are left alone if a channel lists its events one by one', async () => {
    const [channel] = harness.suite.openChannels();
    if (channel === undefined) throw new Error();
    const events = channel.events.flatMap((event) =>
      ['create', 'edit', 'delete'].map((kind) => event.replace('all', kind)),
    );
    harness.suite.openChannel({ ...channel, events });
    harness.suite.advance(hour);
    await harness.reconcile();
    expect(harness.suite.openChannels()).toMatchObject([{ events }]);
  });

  it('are not counted if one delivers elsewhere and cannot be set right (WREG-006)', async () => {
    const [channel] = harness.suite.openChannels();
    const [webhook] = harness.tracker.space.all('Webhook');
    if (channel === undefined || webhook === undefined) throw new Error();
    harness.suite.openChannel({ ...channel, url: 'https://elsewhere.example/hooks' });
    harness.tracker.space.change('Webhook', webhook, { url: 'https://elsewhere.example/hooks' });
    harness.suite.failNext({ status: 503, times: 1_000, method: 'PUT', path: /actions\/watch/ });
    harness.suite.advance(hour);
    await harness.reconcile();
    expect(await harness.linesOf('suite_crm')).toMatchObject([{ state: 'wanted', remoteId: channel.id }]);

    harness.suite.healAll();
    harness.suite.advance(2 * minute);
    await harness.reconcile();
    expect(harness.suite.openChannels()).toMatchObject([{ url: webhookUrl('suite_crm') }]);
    expect(harness.tracker.space.all('Webhook')).toMatchObject([{ url: webhookUrl('tracker') }]);
    expect(harness.remoteCounts()).toEqual(allThere);
  });
});
