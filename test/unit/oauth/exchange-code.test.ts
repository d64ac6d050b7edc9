import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { ExchangeCode } from '#application/oauth/exchange-code.ts';
import { FindClient } from '#application/oauth/find-client.ts';
import type { ClientDocuments } from '#application/ports/client-documents.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { AuthorizationCode, CodeExchange } from '#domain/oauth/authorization-code.ts';
import type { Session } from '#domain/sessions/session.ts';
import { err } from '#domain/shared/result.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const issuedAt = 1_800_000_000_000;
const client = { id: 'client_1', secret: 'secret', name: 'Sextant', redirectUris: [], createdAt: 0 };
const code: AuthorizationCode = {
  code: 'code_1',
  clientId: 'client_1',
  userId: 1,
  redirectUri: 'http://127.0.0.1/cb',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  expiresAt: issuedAt + 600_000,
};
const right = {
  code: 'code_1',
  clientId: 'client_1',
  clientSecret: null,
  redirectUri: 'http://127.0.0.1/cb',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};

let codes: MemoryAuthorizationCodes;
let clients: MemoryClients;
let users: MemoryUsers;
let grants: MemoryGrants;
let now: number;
/** How many texts were asked of the random source: each is another. */
let drawn: number;

beforeEach(async () => {
  [codes, clients, users, grants] = [
    new MemoryAuthorizationCodes(),
    new MemoryClients(),
    new MemoryUsers(),
    new MemoryGrants(),
  ];
  [now, drawn] = [issuedAt, 0];
  await users.add({ email: 'ada@example.com', passwordHash: '', permissions: [], isAdmin: false });
  await clients.keep(client);
  await codes.keep(code);
});

const portsWith = (tokens: SessionTokens, documents: ClientDocuments | null = null) => ({
  codes,
  clients,
  findClient: new FindClient(clients, documents),
  users,
  tokens,
  grants,
  random: {
    token: (bytes: number) => {
      drawn += 1;
      return `random${bytes}-${drawn}`;
    },
  },
  clock: { now: () => now },
  services: serviceKeys,
});
const exchange = (altered: Partial<CodeExchange & { code: string }> = {}, isStrict = false) => {
  const tokens = {
    seal: async ({ userId, scope, grantId }: Session) =>
      `sealed ${userId}${scope === undefined ? '' : ` for ${scope}`} by ${grantId}`,
    open: async () => null,
  };
  return new ExchangeCode(portsWith(tokens), { isStrict, audience: null }).run({
    ...right,
    ...altered,
  });
};
const reason = (word: string) => ({ ok: false, failure: { reason: word } });

describe('exchanging a code', () => {
  it('encrypts the user id and removes the code', async () => {
    expect(await exchange()).toEqual({
      ok: true,
      value: { userId: 1, accessToken: 'sealed 1 by random18-1', expiresInS: 2_592_000, scope: null },
    });
    expect(await codes.find('code_1')).toBeNull();
  });

  it('stores the grant that the token names: its app, its scope, its time (GRANT-001)', async () => {
    await exchange();
    const grant = { id: 'random18-1', userId: 1, clientId: client.id, clientName: client.name, since: now };
    expect(await grants.list(1)).toEqual([{ ...grant, scope: '*', switchedOff: [], ask: null, lastUsedAt: null }]);
    await codes.keep({ ...code, scope: 'vault:read' });
    await exchange();
    expect(await grants.find('random18-2')).toMatchObject({ scope: 'vault:read' });
  });

  it('stores no grant when it fails (GRANT-001)', async () => {
    await exchange({ codeVerifier: 'wrong' });
    expect(await grants.list(1)).toEqual([]);
  });

  it('encrypts what was granted, and returns it', async () => {
    await codes.keep({ ...code, scope: 'vault:read' });
    expect(await exchange()).toMatchObject({
      value: { accessToken: 'sealed 1 for vault:read by random18-1', scope: 'vault:read' },
    });
  });

  it('notes the sign-in, so that a flood of registrations drops other clients first (REG-018)', async () => {
    clients = new MemoryClients(3);
    for (const id of ['client_1', 'client_2']) await clients.keep({ ...client, id });
    expect(await exchange()).toMatchObject({ ok: true });
    for (const id of ['client_3', 'client_4', 'client_5']) await clients.keep({ ...client, id });
    const found = await Promise.all(['client_1', 'client_2'].map((id) => clients.find(id)));
    expect(found.map(({ ok: isThere }) => isThere)).toEqual([true, false]);
  });

  it('succeeds for one of many at the same time (CODE-004)', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => exchange()));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(all.filter(({ ok }) => !ok)).toEqual(Array(9).fill(reason('invalid_code')));
    expect(await grants.list(1)).toHaveLength(1);
  });

  it.each([
    ['invalid_code', { code: 'code_2' }],
    ['invalid_client', { clientId: 'client_2' }],
    ['invalid_client', { clientSecret: 'wrong' }],
    ['invalid_redirect_uri', { redirectUri: 'http://127.0.0.1/cb/' }],
    ['invalid_code_verifier', { codeVerifier: 'x'.repeat(43) }],
  ])('fails with %s for %j, and keeps the code (CODE-007)', async (word, altered) => {
    expect(await exchange(altered)).toEqual(reason(word));
    expect(await codes.find('code_1')).toEqual(code);
  });

  it('removes a code that is older than 600 seconds (CODE-006)', async () => {
    now = issuedAt + 600_000;
    expect(await exchange({ redirectUri: 'x' })).toEqual(reason('invalid_redirect_uri'));
    now += 1;
    expect(await exchange({ redirectUri: 'x' })).toEqual(reason('expired_code'));
    expect(await codes.find('code_1')).toBeNull();
  });

  describe('the exchange of a used code', () => {
    const strangers: readonly (readonly [string, Partial<CodeExchange>])[] = [
      ['another verifier', { codeVerifier: 'x'.repeat(43) }],
      ['no verifier', { codeVerifier: null }],
      ['another redirect URI', { redirectUri: 'http://127.0.0.1/other' }],
      ['another client', { clientId: 'client_2' }],
    ];

    it('revokes nothing when the same client repeats it within 10 seconds (CODE-012)', async () => {
      await exchange();
      for (now of [issuedAt, issuedAt + 5_000, issuedAt + 9_999])
        expect(await exchange()).toEqual(reason('invalid_code'));
      expect(await grants.list(1)).toHaveLength(1);
    });

    it('revokes what was issued for it when it is repeated 10 seconds later (CODE-011)', async () => {
      await exchange();
      now += 10_000;
      const revoked = { userId: 1, grantId: 'random18-1' };
      expect(await exchange()).toEqual({ ok: false, failure: { reason: 'invalid_code', revoked } });
      expect(await grants.list(1)).toEqual([]);
      expect(await exchange()).toEqual(reason('invalid_code'));
    });

    it.each(strangers)('revokes it when it is repeated with %s, however soon (CODE-011)', async (_, altered) => {
      await clients.keep({ ...client, id: 'client_2' });
      await exchange();
      expect(await exchange(altered)).toMatchObject({ failure: { reason: 'invalid_code', revoked: { userId: 1 } } });
      expect(await grants.list(1)).toEqual([]);
    });

    it('revokes it when an unknown client sends it, and answers as usual (CODE-011, TOKEN-016)', async () => {
      await exchange();
      expect(await exchange({ clientId: 'client_none' })).toMatchObject(reason('invalid_client'));
      expect(await grants.list(1)).toEqual([]);
    });

    it('revokes nothing else of the user', async () => {
      await exchange();
      await codes.keep({ ...code, code: 'code_2' });
      await exchange({ code: 'code_2' });
      now += 10_000;
      await exchange();
      expect((await grants.list(1)).map(({ id }) => id)).toEqual(['random18-2']);
    });

    it('revokes it even if it is used again before its token was issued (CODE-011)', async () => {
      const consume = codes.consume.bind(codes);
      codes.consume = async (text, use) => {
        const isFirst = await consume(text, use);
        if (isFirst) await exchange({ codeVerifier: 'x'.repeat(43) });
        return isFirst;
      };
      expect(await exchange()).toMatchObject({ ok: true });
      expect(await grants.list(1)).toEqual([]);
    });
  });

  it('tells a client that the server forgot it, whatever the code (TOKEN-016)', async () => {
    clients = new MemoryClients();
    expect(await exchange()).toEqual(reason('invalid_client'));
    codes = new MemoryAuthorizationCodes();
    expect(await exchange()).toEqual(reason('invalid_client'));
  });

  it('is refused when the user is gone, or has signed out everywhere since (CODE-009)', async () => {
    await users.change(1, { signedOutBefore: issuedAt + 1 });
    expect(await exchange()).toEqual(reason('invalid_code'));
    await codes.keep({ ...code, userId: 7 });
    expect(await exchange()).toEqual(reason('invalid_code'));
    await codes.keep(code);
    await users.change(1, { signedOutBefore: issuedAt });
    expect(await exchange()).toMatchObject({ ok: true });
  });

  it('requires a secret and PKCE in strict mode (TOKEN-012, TOKEN-013)', async () => {
    expect(await exchange({}, true)).toEqual(reason('invalid_client'));
    await codes.keep({ ...code, codeChallenge: null });
    expect(await exchange({ clientSecret: 'secret' }, true)).toEqual(reason('invalid_code_verifier'));
    await codes.keep(code);
    expect(await exchange({ clientSecret: 'secret' }, true)).toMatchObject({ ok: true });
  });

  it('names a client by its host if its document cannot be read (META-015)', async () => {
    const id = 'https://app.example/client.json';
    const documents = { find: async () => err({ reason: 'unusable_document' as const, message: 'not here' }) };
    await codes.keep({ ...code, clientId: id });
    const tokens = { seal: async () => 'sealed', open: async () => null };
    const exchanging = new ExchangeCode(portsWith(tokens, documents), { isStrict: true, audience: null });
    expect(await exchanging.run({ ...right, clientId: 'https://b.example/c.json' })).toMatchObject(
      reason('invalid_client'),
    );
    expect(await exchanging.run({ ...right, clientId: id })).toMatchObject({ ok: true });
    expect(await grants.list(1)).toMatchObject([{ clientId: id, clientName: 'app.example' }]);
  });
});
