import assert from 'node:assert/strict';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
import type { CodeUse } from '#domain/oauth/code-use.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

const limited = (): AuthorizationCode => ({
  code: 'code_Aa-1',
  clientId: 'client_a',
  userId: 7,
  redirectUri: 'http://127.0.0.1:8123/callback?x=%20ü',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  expiresAt: 1_769_172_711_789,
  scope: 'tracker:read vault:read',
  ask: 'lose',
});
const plain = (code = 'code_Bb-2'): AuthorizationCode => ({
  code,
  clientId: 'client_b',
  userId: 9_007_199_254_740_991,
  redirectUri: 'com.example.app:/back',
  codeChallenge: null,
  expiresAt: 3,
});

const use = (grantId = 'Gg1-_'): CodeUse => ({
  userId: 9_007_199_254_740_991,
  grantId,
  usedAt: 1_769_172_711_789,
  exchange: 'a digest of the exchange',
});

/** Contract suite of authorization-code stores. Bounded stores are opened with a capacity of four. */
export function authorizationCodesContract<Handle extends Opened<AuthorizationCodes>>(
  runner: Runner,
  subject: Subject<AuthorizationCodes, Handle>,
): void {
  contract<AuthorizationCodes, Handle>(runner, subject, {
    port: 'authorization codes',
    max: 4,
    define: (clause) => {
      clause(
        'CODES-001 returns every field as it was stored, expired or not, any number of times',
        async ({ port, clock }) => {
          await port.keep(limited());
          await port.keep({ ...plain(), expiresAt: clock.now() - 1 });
          for (const _ of [1, 2]) {
            assert.deepEqual(await port.find('code_Aa-1'), limited());
            assert.deepEqual(await port.find('code_Bb-2'), { ...plain(), expiresAt: clock.now() - 1 });
          }
        },
      );

      clause('CODES-002 stores a code without challenge and scope as such', async ({ port }) => {
        await port.keep(plain());
        const kept = await port.find('code_Bb-2');
        assert.equal(kept?.codeChallenge, null);
        assert.equal(kept.scope, undefined);
      });

      clause('CODES-003 returns null for a code that was not issued, however similar', async ({ port }) => {
        await port.keep(limited());
        for (const code of ['code_aa-1', 'code_Aa', 'code_Aa-1 ', 'code_%', ...oddTexts]) {
          assert.equal(await port.find(code), null, code);
          assert.equal(await port.consume(code, use()), false, code);
          assert.equal(await port.useOf(code), null, code);
        }
        assert.deepEqual(await port.find('code_Aa-1'), limited());
      });

      clause('CODES-004 lets exactly one of many callers consume a code (CODE-004)', async ({ port }) => {
        await port.keep(limited());
        const consumed = await Promise.all(
          Array.from({ length: 20 }, (_, index) => port.consume('code_Aa-1', use(`g${index}`))),
        );
        assert.equal(consumed.filter(Boolean).length, 1);
        assert.equal(await port.find('code_Aa-1'), null);
      });

      clause('CODES-005 no longer has a consumed code (CODE-004)', async ({ port }) => {
        await port.keep(limited());
        assert.equal(await port.consume('code_Aa-1', use()), true);
        assert.equal(await port.find('code_Aa-1'), null);
        assert.equal(await port.consume('code_Aa-1', use('other')), false);
      });

      clause('CODES-006 consumes one code and leaves the others of its client and user', async ({ port }) => {
        await port.keep(limited());
        await port.keep({ ...limited(), code: 'code_Aa-2' });
        assert.equal(await port.consume('code_Aa-1', use()), true);
        assert.deepEqual(await port.find('code_Aa-2'), { ...limited(), code: 'code_Aa-2' });
      });

      clause('CODES-007 drops the oldest code when it is full, whether it was looked up or not', async ({ port }) => {
        for (const code of ['code_1', 'code_2', 'code_3', 'code_4']) await port.keep(plain(code));
        await port.find('code_1');
        await port.keep(plain('code_5'));
        assert.equal(await port.find('code_1'), null);
        for (const code of ['code_2', 'code_3', 'code_4', 'code_5'])
          assert.deepEqual(await port.find(code), plain(code));
      });

      clause('CODES-008 frees the place of each consumed code', async ({ port }) => {
        for (const code of ['code_1', 'code_2', 'code_3', 'code_4']) await port.keep(plain(code));
        await port.consume('code_3', use());
        await port.keep(plain('code_5'));
        for (const code of ['code_1', 'code_2', 'code_4', 'code_5'])
          assert.deepEqual(await port.find(code), plain(code));
      });

      clause(
        'CODES-009 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = limited();
          await port.keep(given);
          tamper(given);
          assert.deepEqual(await port.find('code_Aa-1'), limited());
          tamper(await port.find('code_Aa-1'));
          assert.deepEqual(await port.find('code_Aa-1'), limited());
        },
      );

      clause('CODES-010 has all codes that are stored concurrently', async ({ port }) => {
        const codes = ['code_1', 'code_2', 'code_3', 'code_4'];
        await Promise.all(codes.map((code) => port.keep(plain(code))));
        for (const code of codes) assert.deepEqual(await port.find(code), plain(code));
      });

      clause(
        'CODES-011 lets exactly one of two processes consume a code (CODE-004)',
        async ({ port, beside }) => {
          const other = await beside();
          for (const code of ['code_1', 'code_2', 'code_3', 'code_4']) {
            await port.keep(plain(code));
            const consumed = await Promise.all([port, other, port, other].map((one) => one.consume(code, use())));
            assert.equal(consumed.filter(Boolean).length, 1);
          }
        },
        'processes',
      );

      clause('CODES-012 returns how a code was used, and nothing for one that was not', async ({ port }) => {
        await port.keep(limited());
        await port.keep(plain());
        assert.equal(await port.useOf('code_Aa-1'), null);
        await port.consume('code_Aa-1', use());
        assert.deepEqual(await port.useOf('code_Aa-1'), use());
        for (const code of ['code_Bb-2', 'code_aa-1', 'code_Aa', ...oddTexts]) {
          assert.equal(await port.useOf(code), null, code);
        }
      });

      clause('CODES-013 keeps the use of the caller that consumed the code (CODE-011)', async ({ port }) => {
        await port.keep(limited());
        const grants = Array.from({ length: 20 }, (_, index) => `g${index}`);
        const consumed = await Promise.all(grants.map((grantId) => port.consume('code_Aa-1', use(grantId))));
        assert.deepEqual(await port.useOf('code_Aa-1'), use(grants[consumed.indexOf(true)]));
      });

      clause('CODES-014 removes a code without a use, and leaves the others', async ({ port }) => {
        await port.keep(limited());
        await port.keep(plain());
        await port.remove('code_Aa-1');
        await port.remove('code_none');
        assert.equal(await port.find('code_Aa-1'), null);
        assert.equal(await port.useOf('code_Aa-1'), null);
        assert.equal(await port.consume('code_Aa-1', use()), false);
        assert.deepEqual(await port.find('code_Bb-2'), plain());
      });

      clause('CODES-015 drops the oldest use when it is full, and no code for it', async ({ port }) => {
        const codes = ['code_1', 'code_2', 'code_3', 'code_4', 'code_5'];
        await port.keep(plain());
        for (const code of codes) {
          await port.keep(plain(code));
          await port.consume(code, use(code));
        }
        assert.equal(await port.useOf('code_1'), null);
        for (const code of codes.slice(1)) assert.deepEqual(await port.useOf(code), use(code));
        assert.deepEqual(await port.find('code_Bb-2'), plain());
      });

      lifeCycle(clause, {
        prefix: 'CODES',
        fill: async (port) => {
          await port.keep(limited());
          await port.keep(plain());
          await port.keep(plain('code_consumed'));
          await port.consume('code_consumed', use());
        },
        read: async (port) => [
          await port.find('code_Aa-1'),
          await port.find('code_Bb-2'),
          await port.find('code_consumed'),
          await port.useOf('code_consumed'),
        ],
      });
    },
  });
}
