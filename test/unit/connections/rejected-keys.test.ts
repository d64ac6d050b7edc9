import { beforeEach, describe, expect, it } from 'vitest';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { listConnections } from '#application/connections/list-connections.ts';
import { ProbeRejected } from '#application/connections/probe-rejected.ts';
import { TestConnection } from '#application/connections/test-connection.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { guest } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { ConnectionHarness, connected, start } from '#test/support/connections/connection-harness.ts';
import { neutralNames } from '#test/support/services/five-services.ts';

const minute = 60_000;
const key: TokenRecord = { ...connected, authMethod: 'personal_token', refreshToken: null, expiresAt: null };
const refusedAnswer = failed('unauthorized', 'The sales CRM answered 401.');

let harness: ConnectionHarness;
let answer: Outcome;
let probes: number;

beforeEach(async () => {
  harness = new ConnectionHarness();
  answer = refusedAnswer;
  probes = 0;
  await harness.keep(key);
});

/** Presses Test. */
function test(accessTokens = harness.process()) {
  const { connections, clock, logger } = harness;
  const probe = {
    complete: async () => {
      throw new Error('nothing is completed here');
    },
    probe: async () => {
      probes += 1;
      return answer;
    },
  };
  return new TestConnection({ connections, probe, accessTokens, names: neutralNames, clock, logger });
}

/** The background job looks. */
function look(): Promise<number> {
  const { connections, leases, users, clock, logger } = harness;
  return new ProbeRejected({ connections, test: test(), users, leases, clock, random: systemRandom, logger }).run();
}

const state = async () => (await harness.status())?.state;
const call = () => harness.process().find(1, 'sales_crm');

describe('a key that is refused', () => {
  beforeEach(async () => {
    await harness.process().renew(key);
  });

  it('is `degraded` at first, with the time of the next attempt (CONN-009)', async () => {
    expect(await harness.status()).toMatchObject({ state: 'degraded', reason: 'The Sales CRM refused the key.' });
    const message =
      'The Sales CRM refused the key. It is retried at 2026-01-23 12:01 UTC, and when you press Test on the page /page.';
    expect(await call()).toMatchObject({ ok: false, failure: { reason: 'unauthorized', message } });
  });

  it('is not probed while its user is deactivated (CONN-024)', async () => {
    harness.clock.advance(minute);
    harness.users.inactive.add(1);
    await look();
    expect(probes).toBe(0);
    harness.users.inactive.clear();
    await look();
    expect(probes).toBe(1);
  });

  it('is reported in the same words by calls, the list of connections, and waiting deliveries', async () => {
    const called = await call();
    const message = called.ok ? '' : called.failure.message;
    expect(await listConnections(harness.connections, { ...guest, id: 1 }, harness.clock.now())).toMatchObject([
      { state: 'degraded', reason: message, retryAt: start + minute },
    ]);
    const automation = new AutomationUser(1, harness.users);
    const gate = new DeliveryConnections(harness.connections, harness.clock, automation);
    expect(await gate.reasonToWait('sales_crm')).toBe(message);
  });

  it('is not sent until the next probe is due, and then by a call (CONN-015)', async () => {
    harness.clock.advance(minute - 1);
    expect(await call()).toMatchObject({ ok: false });
    harness.clock.advance(1);
    expect(await call()).toMatchObject({ ok: true, value: { accessToken: key.accessToken } });
  });

  it('is connected as soon as a call with it succeeds', async () => {
    harness.clock.advance(minute);
    const process = harness.process();
    await process.find(1, 'sales_crm');
    await process.worked(key);
    expect(await harness.status()).toEqual(expect.objectContaining({ state: 'connected', reason: null }));
    expect(await call()).toMatchObject({ ok: true });
  });

  it('is probed after 1, 5, 15 and then every 30 minutes by the background job, even without calls (CONN-009)', async () => {
    const probedAt: number[] = [];
    for (let passed = 0; passed <= 120; passed += 1) {
      const before = probes;
      await look();
      if (probes > before) probedAt.push(passed);
      harness.clock.advance(minute);
    }
    expect(probedAt).toEqual([1, 6, 21, 51, 81, 111]);
  });

  it('needs its user after three refused probes over ten minutes, and not before (CONN-010)', async () => {
    for (const [afterMinutes, expected] of [
      [1, 'degraded'],
      [5, 'degraded'],
      [15, 'reconnect'],
    ] as const) {
      harness.clock.advance(afterMinutes * minute);
      await look();
      expect(await state()).toBe(expected);
    }
    expect(await call()).toMatchObject({
      ok: false,
      failure: {
        message: expect.stringMatching(/Connect it again on the page \/page; it is also retried at .*/),
      },
    });
  });

  it('does not need its user, however often Test is pressed within ten minutes', async () => {
    for (let presses = 0; presses < 5; presses += 1) await test().probe(1, 'sales_crm');
    expect(await state()).toBe('degraded');
    harness.clock.advance(10 * minute);
    await test().probe(1, 'sales_crm');
    expect(await state()).toBe('reconnect');
  });

  it.each(['degraded', 'reconnect'] as const)('recovers automatically: %s (CONN-010)', async (before) => {
    if (before === 'reconnect') for (const minutes of [1, 5, 15]) await later(minutes);
    expect(await state()).toBe(before);
    answer = succeeded([]);
    await later(30);
    expect(await harness.status()).toMatchObject({ state: 'connected', reason: null });
    expect(await harness.connections.dueForProbe(start + 10_000 * minute)).toEqual([]);
    expect(await call()).toMatchObject({ ok: true });
  });

  it('recovers when Test is pressed, at any time (CONN-009)', async () => {
    answer = succeeded([]);
    expect(await test().probe(1, 'sales_crm')).toMatchObject({
      ok: true,
      value: { state: 'connected', checked: true, reason: null },
    });
    expect(await call()).toMatchObject({ ok: true });
  });

  it('counts no probe when the provider could not be reached', async () => {
    answer = failed('unavailable', 'It is down.');
    for (let times = 0; times < 40; times += 1) await later(1);
    expect(await state()).toBe('degraded');
  });

  it('counts calls that were refused at the same time as one', async () => {
    harness.clock.advance(11 * minute);
    const process = harness.process();
    for (let times = 0; times < 5; times += 1) await process.renew(key);
    expect(await harness.status()).toMatchObject({ state: 'degraded', rejections: { probes: 1 } });
  });

  it('is forgotten when the user enters another', async () => {
    await harness.keep({ ...key, accessToken: 'another', updatedAt: start + 1 });
    expect(await call()).toMatchObject({ ok: true, value: { accessToken: 'another' } });
  });

  async function later(minutes: number): Promise<void> {
    harness.clock.advance(minutes * minute);
    await look();
  }
});

describe('a token that is refused right after its renewal', () => {
  it('is shown as degraded, holds back no call, and is connected again with the first that succeeds', async () => {
    await harness.keep(connected);
    const process = harness.process();
    await process.refused(connected);
    expect(await harness.status()).toMatchObject({ state: 'degraded', reason: 'The Sales CRM refused the token.' });
    expect(await process.find(1, 'sales_crm')).toMatchObject({ ok: true });
    await process.worked(connected);
    expect(await state()).toBe('connected');
  });
});
