import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountChange } from '#adapters/contracts/changes.ts';
import type { Stores } from '#adapters/contracts/stores.ts';
import { memoryStores } from '#bootstrap/package/testing.ts';
import { type WrappedStores, wrapStores } from '#bootstrap/stores/wrap-stores.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const secrets = ['a secret of this installation, long enough'];
let raw: Stores;
let wrapped: WrappedStores;
let seen: string[];

/** The store, whose calls are noted with all that they were given. */
function watched<Port extends object>(store: Port): Port {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        seen.push(JSON.stringify(given));
        return member.apply(target, given);
      };
    },
  });
}

beforeEach(() => {
  seen = [];
  const stores = memoryStores();
  raw = {
    ...stores,
    clients: watched(stores.clients),
    authorizationCodes: watched(stores.authorizationCodes),
    connections: watched(stores.connections),
    pendingConnects: watched(stores.pendingConnects),
    pendingSignIns: watched(stores.pendingSignIns),
    webhookInbox: watched(stores.webhookInbox),
  };
  const changes = new EventBus<AccountChange>();
  wrapped = wrapStores(raw, { secrets, services: serviceKeys, changes, logger: openLogger('silent') });
});

describe('a store never sees a secret', () => {
  it('in a connection (CONF-007)', async () => {
    const record = tokenRecord('tracker', { accessToken: 'the-secret', refreshToken: 'the-secret too' });
    const { connections } = wrapped;
    await connections.save(record, connectedSince(1));
    expect(await connections.find(record.userId, 'tracker')).toMatchObject({ record });
    expect(await connections.replace(record, { ...record, accessToken: 'the-secret, renewed' })).toBe(true);
    expect(seen.join('\n')).not.toContain('the-secret');
  });

  it('in a delivery (CONF-007)', async () => {
    const entry = { service: 'tracker', deliveryId: '1', orderKey: 'k', event: 'e', body: '{"token":"the-secret"}' };
    await wrapped.webhookInbox.keep([entry]);
    const [kept] = await wrapped.webhookInbox.list({ limit: 1 });
    expect(kept === undefined ? null : await wrapped.webhookInbox.body(kept)).toBe(entry.body);
    expect(await raw.webhookInbox.body({ seq: 1, service: 'tracker', deliveryId: '1' })).toMatch(/^v1\./);
    expect(seen.join('\n')).not.toContain('the-secret');
  });

  it('in a client, a code, or a pending connect (CONF-007)', async () => {
    const client = { id: 'client_1', secret: 'the-secret of it', name: 'App', redirectUris: [], createdAt: 1 };
    await wrapped.clients.keep(client);
    expect(await wrapped.clients.find('client_1')).toEqual({ ok: true, value: client });
    const bound = {
      clientId: 'client_1',
      userId: 1,
      redirectUri: 'https://a.example',
      codeChallenge: null,
      expiresAt: 9,
    };
    const code = { code: 'code_the-secret', ...bound };
    await wrapped.authorizationCodes.keep(code);
    expect(await wrapped.authorizationCodes.find(code.code)).toEqual(code);
    const use = { userId: 1, grantId: 'g', usedAt: 1, exchange: 'a digest' };
    expect([
      await wrapped.authorizationCodes.consume(code.code, use),
      await wrapped.authorizationCodes.consume(code.code, use),
    ]).toEqual([true, false]);
    expect(await wrapped.authorizationCodes.useOf(code.code)).toEqual(use);
    const connect = {
      userId: 1,
      service: 'tracker',
      browser: 'b',
      codeVerifier: 'the-secret verifier',
      extra: {},
      startedAt: 1,
    };
    await wrapped.pendingConnects.keep('the-secret state', connect);
    expect(await wrapped.pendingConnects.take('the-secret state')).toEqual(connect);
    expect(await wrapped.pendingConnects.take('the-secret state')).toBeNull();
    expect(seen.join('\n')).not.toContain('the-secret');
  });

  it('in a pending sign-in (CONF-007)', async () => {
    const signIn = {
      browser: 'b',
      codeVerifier: 'the-secret verifier',
      nonce: 'the-secret nonce',
      authorize: 'state=the-secret',
      userId: null,
      sessionId: null,
      startedAt: 1,
    };
    await wrapped.pendingSignIns.keep('the-secret state', signIn);
    expect(await wrapped.pendingSignIns.take('the-secret state')).toEqual(signIn);
    expect(await wrapped.pendingSignIns.take('the-secret state')).toBeNull();
    await wrapped.pendingSignIns.keep('another', { ...signIn, authorize: null });
    expect(await wrapped.pendingSignIns.take('another')).toEqual({ ...signIn, authorize: null });
    expect(seen.join('\n')).not.toContain('the-secret');
  });

  it('and a client must register again without the key that encrypted it', async () => {
    await wrapped.clients.keep({ id: 'client_1', secret: 's', name: 'App', redirectUris: [], createdAt: 1 });
    const other = wrapStores(raw, {
      secrets: ['another secret of another installation'],
      services: serviceKeys,
      changes: new EventBus<AccountChange>(),
      logger: openLogger('silent'),
    });
    expect(await other.clients.find('client_1')).toEqual({ ok: false, failure: { reason: 'not_found' } });
  });
});
