import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneSignIns } from '#adapters/persistence/prune-sign-ins.ts';
import { SqlAuthorizationCodes } from '#adapters/persistence/sql-authorization-codes.ts';
import { SqlClients } from '#adapters/persistence/sql-clients.ts';
import { SqlPendingConnects } from '#adapters/persistence/sql-pending-connects.ts';
import { SqlPendingSignIns } from '#adapters/persistence/sql-pending-sign-ins.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { emptyPool, type LentDatabase, lendSqlite } from '#test/support/persistence/sqlite-pool.ts';

const start = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const client = { secret: 's', name: 'n', redirectUris: [], createdAt: 1 };
const code = { clientId: 'c', userId: 1, redirectUri: 'http://127.0.0.1/', codeChallenge: null };
const signIn = { browser: 'b', codeVerifier: 'v', nonce: 'n', authorize: null, userId: null, sessionId: null };
const connect = { userId: 1, service: 'tracker', browser: 'b', codeVerifier: null, extra: {} };

let lent: LentDatabase;
let clock: SettableClock;
beforeEach(async () => {
  lent = await lendSqlite(['clients', 'authorization_codes', 'code_uses', 'pending_connects', 'pending_sign_ins']);
  clock = new SettableClock(start);
  return lent.giveBack;
});
afterAll(emptyPool);

describe('pruning', () => {
  it('removes clients that were unused for 90 days, and leaves the others (REG-019)', async () => {
    const clients = new SqlClients(lent.database, clock);
    for (const id of ['unused', 'signed in', 'used']) await clients.keep({ ...client, id });
    await clients.noteSignIn('signed in');
    clock.advance(60 * dayMs);
    await clients.find('used');
    clock.advance(30 * dayMs);
    expect(await pruneSignIns(lent.database, clock)).toBe(0);
    clock.advance(1_000);
    expect(await pruneSignIns(lent.database, clock)).toBe(2);
    const found = await Promise.all(['unused', 'signed in', 'used'].map((id) => clients.find(id)));
    expect(found.map(({ ok }) => ok)).toEqual([false, false, true]);
  });

  it('removes codes, pending connects and sign-ins an hour after they expired', async () => {
    const codes = new SqlAuthorizationCodes(lent.database);
    const connects = new SqlPendingConnects(lent.database);
    const signIns = new SqlPendingSignIns(lent.database);
    await signIns.keep('over', { ...signIn, startedAt: start });
    await signIns.keep('begun', { ...signIn, startedAt: start + 600_000 });
    await codes.keep({ ...code, code: 'over', expiresAt: start });
    await codes.keep({ ...code, code: 'good', expiresAt: start + 600_000 });
    await connects.keep('over', { ...connect, startedAt: start });
    await connects.keep('begun', { ...connect, startedAt: start + 600_000 });
    clock.advance(3_600_000);
    expect(await pruneSignIns(lent.database, clock)).toBe(0);
    clock.advance(1);
    expect(await pruneSignIns(lent.database, clock)).toBe(3);
    expect([await codes.find('over'), await connects.take('over'), await signIns.take('over')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await signIns.take('begun')).not.toBeNull();
    expect(await codes.find('good')).not.toBeNull();
    expect(await connects.take('begun')).not.toBeNull();
  });

  it('removes the uses of codes 30 days later, when their grants have ended (CODE-013)', async () => {
    const codes = new SqlAuthorizationCodes(lent.database);
    for (const [used, usedAt] of [
      ['first', start],
      ['second', start + dayMs],
    ] as const) {
      await codes.keep({ ...code, code: used, expiresAt: start + 600_000 });
      await codes.consume(used, { userId: 1, grantId: 'g', usedAt, exchange: 'e' });
    }
    clock.advance(30 * dayMs);
    expect(await pruneSignIns(lent.database, clock)).toBe(0);
    clock.advance(1);
    expect(await pruneSignIns(lent.database, clock)).toBe(1);
    expect([await codes.useOf('first'), await codes.useOf('second')]).toMatchObject([null, { grantId: 'g' }]);
  });
});
