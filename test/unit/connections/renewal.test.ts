import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isRenewalDue } from '#domain/tokens/refresh-due.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { ConnectionHarness, connected, start } from '#test/support/connections/connection-harness.ts';
import { salesCrmOAuth, signingOAuth } from '#test/support/services/vendors.ts';

const minute = 60_000;
const hour = 60 * minute;
const over = { ...connected, expiresAt: start };

let harness: ConnectionHarness;

beforeEach(async () => {
  harness = new ConnectionHarness();
  await harness.keep(over);
});

/** A promise and how it is kept. */
function gate(): Readonly<{ opened: Promise<void>; open: () => void }> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('parallel renewals of a rotating refresh token', () => {
  it('cost one renewal for a thousand callers on one expired token, and all continue with the new token (RENEW-002)', async () => {
    const process = harness.process();
    const found = await Promise.all(Array.from({ length: 1_000 }, () => process.find(1, 'sales_crm')));
    expect(harness.provider.shown).toEqual(['refresh-0']);
    expect(new Set(found.map((result) => result.ok && result.value.accessToken))).toEqual(new Set(['access-1']));
  });

  it('cost one renewal for five processes', async () => {
    const found = await Promise.all(Array.from({ length: 5 }, () => harness.process().find(1, 'sales_crm')));
    expect(harness.provider.shown).toEqual(['refresh-0']);
    expect(found.every((result) => result.ok && result.value.accessToken === 'access-1')).toBe(true);
  });

  it('give a caller that was refused with the old token the new one without another renewal (RENEW-002)', async () => {
    const process = harness.process();
    await process.renew(over);
    expect(await process.renew(over)).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(harness.provider.shown).toHaveLength(1);
  });

  it('use no refresh token twice and store the newest token, whatever the processes, callers and order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        async (scheduler, processes, callers) => {
          const world = new ConnectionHarness();
          await world.keep(over);
          world.provider.pace = () => scheduler.schedule(Promise.resolve());
          world.pause = () => scheduler.schedule(Promise.resolve());
          const workers = Array.from({ length: processes }, () => world.process());
          const work = callers.map(async (isJob, index) => {
            const worker = workers[index % processes];
            if (worker === undefined) throw new Error('no worker');
            return isJob ? world.job(worker).run() : worker.find(1, 'sales_crm');
          });
          await scheduler.waitFor(Promise.all(work));
          const stored = await world.record();
          expect(new Set(world.provider.shown).size).toBe(world.provider.shown.length);
          expect(world.provider.accepts(stored?.accessToken ?? '')).toBe(true);
          expect((await world.status())?.state).toBe('connected');
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the lease of a renewal', () => {
  it('keeps others from renewing for as long as it is held, and the call is asked to come again', async () => {
    await harness.leases.acquire('renew:1:sales_crm', 'another process', 10 * hour);
    const found = await harness.process().find(1, 'sales_crm');
    expect(found).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryAfterMs: 5_000 } });
    expect(harness.provider.shown).toEqual([]);
    expect(await harness.leases.release('renew:1:sales_crm', 'another process')).toBe(true);
  });

  it('may be lost while the provider answers: its former holder neither gives up the connection nor releases the lease of its owner', async () => {
    const slow = gate();
    const asked = gate();
    harness.provider.pace = () => {
      asked.open();
      return slow.opened;
    };
    const first = harness.process().find(1, 'sales_crm');
    await asked.opened;
    harness.clock.advance(31_000);
    harness.provider.pace = async () => undefined;
    // Another takes the lease that has run out, and renews; the refresh token of the first is used up then.
    expect(await harness.process().find(1, 'sales_crm')).toMatchObject({ ok: true });
    expect(await harness.leases.acquire('renew:1:sales_crm', 'a third', hour)).not.toBeNull();
    slow.open();
    expect(await first).toMatchObject({ ok: true, value: { accessToken: 'access-1' } });
    expect(await harness.status()).toMatchObject({ state: 'connected' });
    expect(await harness.leases.acquire('renew:1:sales_crm', 'a fourth', hour)).toBeNull();
  });

  it('blocks others after the death of its holder for as long as it lasts, and no longer', async () => {
    await harness.leases.acquire('renew:1:sales_crm', 'dead', 30_000);
    harness.pause = async (ms) => harness.clock.advance(ms);
    expect(await harness.process().find(1, 'sales_crm')).toMatchObject({ ok: true });
    expect(harness.clock.now()).toBe(start + 30_000);
  });
});

describe('a renewal that fails', () => {
  it('makes the connection `reconnect` with its reason; calls, jobs and renewals leave the provider alone from then on (RENEW-004)', async () => {
    harness.provider.failure = { reason: 'refused', message: 'The sales CRM refused to renew the tokens.' };
    const process = harness.process();
    for (let call = 0; call < 5; call += 1) {
      expect(await process.find(1, 'sales_crm')).toMatchObject({
        ok: false,
        failure: {
          reason: 'unauthorized',
          message: expect.stringContaining('refused to renew the tokens. Connect it again on the page /page'),
        },
      });
    }
    await harness.job().run();
    expect(await harness.process().renew(over)).toMatchObject({ ok: false });
    expect(harness.provider.shown).toHaveLength(1);
    expect(await harness.status()).toMatchObject({
      state: 'reconnect',
      reason: 'The sales CRM refused to renew the tokens.',
    });
    expect(harness.lines.filter((line) => line.includes('changed its status'))).toHaveLength(1);
  });

  it('at a provider that is down makes the connection `degraded`, is retried after a pause, and connects in the end (RENEW-005)', async () => {
    harness.provider.failure = { reason: 'unavailable', message: 'It answered 503.' };
    const process = harness.process();
    for (let call = 0; call < 5; call += 1) {
      expect(await process.find(1, 'sales_crm')).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
    }
    expect(harness.provider.shown).toHaveLength(1);
    expect(await harness.status()).toMatchObject({ state: 'degraded', reason: 'It answered 503.' });
    harness.clock.advance(minute);
    expect(await harness.job(process).run()).toBe(0);
    harness.clock.advance(minute);
    harness.provider.failure = null;
    expect(await harness.job(process).run()).toBe(1);
    expect(await harness.status()).toMatchObject({ state: 'connected', reason: null });
    expect(harness.provider.shown).toHaveLength(3);
  });

  it('is not attempted for a while that grows with each failure and starts over after a success (RENEW-010)', async () => {
    harness.provider.failure = { reason: 'unavailable', message: 'It answered 503.' };
    const process = harness.process();
    const asked = () => process.find(1, 'sales_crm');
    for (const waitMs of [10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
      const before = harness.provider.shown.length;
      expect(await asked()).toMatchObject({ failure: { reason: 'unavailable', retryAfterMs: waitMs } });
      harness.clock.advance(waitMs - 1);
      expect(await asked()).toMatchObject({ failure: { reason: 'unavailable', retryAfterMs: 1 } });
      expect(harness.provider.shown).toHaveLength(before + 1);
      harness.clock.advance(1);
    }
    harness.provider.failure = null;
    expect(await asked()).toMatchObject({ ok: true });
    harness.provider.failure = { reason: 'unavailable', message: 'It answered 503.' };
    harness.clock.advance(2 * hour);
    expect(await asked()).toMatchObject({ failure: { retryAfterMs: 10_000 } });
  });

  it('is not attempted before the provider asks for it, at most an hour later (RENEW-010)', async () => {
    const process = harness.process();
    const asked = () => process.find(1, 'sales_crm');
    for (const [askedMs, waitMs] of [
      [30_000, 30_000],
      [1_000, 20_000],
      [86_400_000, hour],
    ] as const) {
      harness.provider.failure = { reason: 'unavailable', message: 'It answered 429.', retryAfterMs: askedMs };
      expect(await asked()).toMatchObject({ failure: { reason: 'unavailable', retryAfterMs: waitMs } });
      const before = harness.provider.shown.length;
      harness.clock.advance(waitMs - 1);
      await harness.job(process).run();
      expect(harness.provider.shown).toHaveLength(before);
      harness.clock.advance(1);
    }
  });

  it('is not tried for a deactivated user, whose tokens are not used until they are active again (RENEW-009, CONN-024)', async () => {
    const process = harness.process();
    harness.users.inactive.add(1);
    expect(await harness.job(process).run()).toBe(0);
    const message = 'user-1@example.com is deactivated: their connections are not used.';
    expect(await process.find(1, 'sales_crm')).toMatchObject({
      ok: false,
      failure: { reason: 'not_connected', message },
    });
    expect(harness.provider.shown).toEqual([]);
    harness.users.inactive.clear();
    expect(await harness.job(process).run()).toBe(1);
    expect(await process.find(1, 'sales_crm')).toMatchObject({ ok: true });
  });

  it('for lack of a refresh token leaves a refused key `degraded`, because the refusal may pass', async () => {
    const key: TokenRecord = { ...connected, authMethod: 'personal_token', refreshToken: null, expiresAt: null };
    await harness.keep(key);
    expect(await harness.process().renew(key)).toMatchObject({ ok: false, failure: { reason: 'unauthorized' } });
    expect(harness.provider.shown).toEqual([]);
    expect(await harness.status()).toMatchObject({ state: 'degraded', reason: 'The Sales CRM refused the key.' });
  });
});

describe('a token without a refresh token', () => {
  const mortal: TokenRecord = { ...connected, refreshToken: null };

  it('is used until its end, and is `reconnect` from then on (RENEW-008)', async () => {
    await harness.keep(mortal);
    harness.clock.advance(hour - 1);
    expect(await harness.process().find(1, 'sales_crm')).toMatchObject({ ok: true });
    harness.clock.advance(1);
    expect(await harness.process().find(1, 'sales_crm')).toMatchObject({
      ok: false,
      failure: {
        reason: 'unauthorized',
        message: expect.stringContaining('has expired, and it came without a refresh token'),
      },
    });
    expect(await harness.status()).toMatchObject({ state: 'reconnect' });
    expect(harness.provider.shown).toEqual([]);
  });
});

describe('a renewal while the user connects again', () => {
  const byUser = { ...connected, accessToken: 'of the user', updatedAt: start + 1 };

  /** A renewal for which the provider has been asked, and its answer, which is still to come. */
  const asked = async () => {
    const [slow, begun] = [gate(), gate()];
    harness.provider.pace = () => {
      begun.open();
      return slow.opened;
    };
    const renewal = harness.process().find(1, 'sales_crm');
    await begun.opened;
    return { renewal, answer: slow.open };
  };

  it('leaves a connection that the user made meanwhile', async () => {
    const { renewal, answer } = await asked();
    await harness.keep(byUser);
    answer();
    expect(await renewal).toMatchObject({ ok: true, value: { accessToken: 'of the user' } });
    expect(await harness.record()).toEqual(byUser);
  });

  it.each(['refused', 'unavailable'] as const)(
    'says nothing of the new tokens when the old ones are %s',
    async (reason) => {
      harness.provider.failure = { reason, message: 'gone' };
      const { renewal, answer } = await asked();
      await harness.keep(byUser);
      answer();
      expect(await renewal).toMatchObject({ ok: true, value: { accessToken: 'of the user' } });
      expect(await harness.status()).toMatchObject({ state: 'connected', reason: null });
    },
  );

  it('leaves a connection that the user ended', async () => {
    const { renewal, answer } = await asked();
    await harness.connections.remove(1, 'sales_crm');
    answer();
    expect(await renewal).toMatchObject({ ok: false, failure: { reason: 'not_connected' } });
    expect(await harness.record()).toBeNull();
  });

  it('does not apply the status of the former credentials to the new ones', async () => {
    await harness.keep({ ...connected, updatedAt: start + 1 }, { state: 'reconnect', reason: 'gone', since: start });
    expect(await harness.process().find(1, 'sales_crm')).toMatchObject({ ok: true });
  });
});

describe('storing renewed tokens', () => {
  it('happens before either is used, however long it takes (RENEW-003)', async () => {
    const replace = harness.connections.replace.bind(harness.connections);
    let isStored = false;
    harness.connections.replace = async (before, after) => {
      await new Promise((resolve) => setImmediate(resolve));
      const isReplaced = await replace(before, after);
      isStored = true;
      return isReplaced;
    };
    const process = harness.process();
    const found = await process.find(1, 'sales_crm');
    expect(isStored).toBe(true);
    const stored = await harness.record();
    expect(stored).toMatchObject({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
      extra: { company_domain: 'acme' },
    });
    expect(found).toEqual({ ok: true, value: stored });
  });

  it('is repeated before anything else if it failed, because the provider issues them only once (RENEW-003)', async () => {
    const replace = harness.connections.replace.bind(harness.connections);
    let faults = 2;
    harness.connections.replace = async (before, after) => {
      faults -= 1;
      if (faults >= 0) throw new Error('database is locked');
      return replace(before, after);
    };
    expect(await harness.process().find(1, 'sales_crm')).toMatchObject({
      ok: true,
      value: { accessToken: 'access-1' },
    });
    expect(harness.provider.shown).toHaveLength(1);
    expect(harness.lines.join()).not.toMatch(/access-1|refresh-1/);
  });

  it('connects an unchecked connection after the first successful call, and writes nothing with the next', async () => {
    await harness.keep(connected, { state: 'unchecked', reason: 'down', since: start });
    let writes = 0;
    const changeStatus = harness.connections.changeStatus.bind(harness.connections);
    harness.connections.changeStatus = async (place, status) => {
      writes += 1;
      return changeStatus(place, status);
    };
    const process = harness.process();
    for (let call = 0; call < 3; call += 1) {
      const found = await process.find(1, 'sales_crm');
      if (!found.ok) throw new Error(found.failure.message);
      await process.worked(found.value);
    }
    expect(await harness.status()).toMatchObject({ state: 'connected', reason: null });
    expect(writes).toBe(1);
  });
});

describe('the background renewal job', () => {
  const every: readonly (readonly [ServiceKey, number | null, number])[] = [
    ['sales_crm', 50 * minute, hour],
    ['suite_crm', 50 * minute, hour],
    ['tracker', 22 * hour, 24 * hour],
    ['signing', null, 365 * 24 * hour],
    ['vault', null, 365 * 24 * hour],
  ];

  it.each(every)('%s is renewed after %s ms (RENEW-001)', (service, everyMs, livesMs) => {
    const record: TokenRecord = { ...connected, service, expiresAt: start + livesMs };
    expect(isRenewalDue(record, everyMs, start + (everyMs ?? livesMs) - 1)).toBe(false);
    expect(isRenewalDue(record, everyMs, start + (everyMs ?? livesMs))).toBe(everyMs !== null);
  });

  it('uses the intervals of the services: sales CRM 50 minutes, signing never (RENEW-001)', () => {
    const nowhere = { authorizeUrl: null, tokenUrl: null };
    expect(salesCrmOAuth('neutral', nowhere).renewEveryMs).toBe(50 * minute);
    expect(salesCrmOAuth('pipedrive', nowhere).renewEveryMs).toBe(50 * minute);
    expect(signingOAuth('neutral', nowhere).renewEveryMs).toBeNull();
  });

  it('renews at the latest ten minutes before the expiry', () => {
    const short: TokenRecord = { ...connected, expiresAt: start + 20 * minute };
    expect(isRenewalDue(short, 50 * minute, start + 10 * minute - 1)).toBe(false);
    expect(isRenewalDue(short, 50 * minute, start + 10 * minute)).toBe(true);
  });

  it('continues with the others when one connection fails', async () => {
    await harness.keep({ ...over, userId: 2, refreshToken: 'refresh-0' });
    const reload = harness.connections.reload.bind(harness.connections);
    harness.connections.reload = async (userId, service) => {
      if (userId === 1) throw new Error('sealed with a key that is not known');
      return reload(userId, service);
    };
    expect(await harness.job().run()).toBe(1);
    expect(harness.lines.join()).toContain('could not be renewed');
  });
});
