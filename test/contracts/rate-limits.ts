import assert from 'node:assert/strict';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { RateLimitName } from '#domain/limits/rate-limit-rules.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

/** The limit that most clauses use: ten points in 900 seconds. */
const limit = 'login_email';
const points = 10;
const windowMs = 900_000;

/** Contract suite of rate-limit counters, under the rules of `rateLimitRules`. */
export function rateLimitsContract<Handle extends Opened<RateLimits>>(
  runner: Runner,
  subject: Subject<RateLimits, Handle>,
): void {
  const taken = async (port: RateLimits, key: string, times: number, name: RateLimitName = limit): Promise<number> => {
    let granted = 0;
    for (let index = 0; index < times; index += 1) if ((await port.take(name, key)).ok) granted += 1;
    return granted;
  };
  const wait = async (port: RateLimits, key: string): Promise<number> => {
    const answer = await port.take(limit, key);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.reason, 'rate_limited');
    return answer.failure.retryAfterS;
  };

  contract<RateLimits, Handle>(runner, subject, {
    port: 'rate limits',
    define: (clause) => {
      clause(
        'LIMITS-001 gives a key as many points as the limit has, and then returns the wait in whole seconds',
        async ({ port }) => {
          for (let index = 0; index < points; index += 1) {
            assert.deepEqual(await port.take(limit, 'a'), { ok: true, value: null });
          }
          const seconds = await wait(port, 'a');
          assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= windowMs / 1000);
        },
      );

      clause('LIMITS-002 counts each key separately', async ({ port }) => {
        await taken(port, 'a', points);
        for (const key of ['A', 'a ', ' a', 'b', ...oddTexts])
          assert.equal(await taken(port, key, points + 1), points, key);
      });

      clause('LIMITS-003 counts each limit separately, with its own points', async ({ port }) => {
        const of = { register: 60, token: 600, login_email: 10, login_address: 100 } as const;
        assert.equal(await taken(port, 'a', of.login_email + 1), of.login_email);
        assert.equal(await taken(port, 'a', of.register + 1, 'register'), of.register);
        assert.equal(await taken(port, 'a', of.login_address + 1, 'login_address'), of.login_address);
        assert.equal(await taken(port, 'a', of.token + 1, 'token'), of.token);
      });

      clause('LIMITS-004 gives no more points than there are to many concurrent callers', async ({ port }) => {
        const answers = await Promise.all(Array.from({ length: points + 5 }, () => port.take(limit, 'a')));
        assert.equal(answers.filter(({ ok }) => ok).length, points);
      });

      clause('LIMITS-005 has one point more for each that is returned', async ({ port }) => {
        await taken(port, 'a', points);
        await taken(port, 'b', points);
        await port.giveBack(limit, 'a');
        await port.giveBack(limit, 'b');
        await port.giveBack(limit, 'a');
        assert.equal(await taken(port, 'a', 5), 2);
        assert.equal(await taken(port, 'b', 5), 1);
      });

      clause('LIMITS-006 returns a point to the limit that it was taken from', async ({ port }) => {
        await taken(port, 'a', points);
        await port.giveBack('login_address', 'a');
        assert.equal(await taken(port, 'a', 1), 0);
      });

      clause('LIMITS-007 has all points again when a key is reset', async ({ port }) => {
        await taken(port, 'a', points + 3);
        await taken(port, 'b', points);
        await port.forget(limit, 'a');
        assert.equal(await taken(port, 'a', points + 1), points);
        assert.equal(await taken(port, 'b', 1), 0);
      });

      clause(
        'LIMITS-008 resets a key of the given limit only, and accepts a key that was not counted',
        async ({ port }) => {
          await taken(port, 'a', points);
          await port.forget('login_address', 'a');
          await port.forget(limit, 'never');
          assert.equal(await taken(port, 'a', 1), 0);
        },
      );

      clause('LIMITS-009 does not extend the wait of a caller that asks repeatedly', async ({ port }) => {
        await taken(port, 'a', points);
        const first = await wait(port, 'a');
        for (const _ of [1, 2, 3]) assert.ok((await wait(port, 'a')) <= first);
      });

      clause(
        'LIMITS-010 has all points again at the end of the window, which starts with the first point taken',
        async ({ port, clock }) => {
          await taken(port, 'a', 1);
          clock.advance(windowMs - 1000);
          assert.equal(await taken(port, 'a', points), points - 1);
          clock.advance(999);
          assert.equal(await taken(port, 'a', 1), 0);
          clock.advance(1);
          assert.equal(await taken(port, 'a', points + 1), points);
        },
        'clock',
      );

      clause(
        'LIMITS-011 returns the wait until the end of the window, rounded up, and at least a second',
        async ({ port, clock }) => {
          await taken(port, 'a', points);
          assert.equal(await wait(port, 'a'), windowMs / 1000);
          clock.advance(500);
          assert.equal(await wait(port, 'a'), windowMs / 1000);
          clock.advance(windowMs - 1500);
          assert.equal(await wait(port, 'a'), 1);
          clock.advance(999);
          assert.equal(await wait(port, 'a'), 1);
        },
        'clock',
      );

      clause(
        'LIMITS-012 starts a new window when a key is reset',
        async ({ port, clock }) => {
          await taken(port, 'a', points);
          clock.advance(windowMs - 1000);
          await port.forget(limit, 'a');
          await taken(port, 'a', points);
          clock.advance(1000);
          assert.equal(await taken(port, 'a', 1), 0);
        },
        'clock',
      );

      clause(
        'LIMITS-013 counts across two processes',
        async ({ port, beside }) => {
          const other = await beside();
          const answers = await Promise.all(
            Array.from({ length: 14 }, (_, index) => (index % 2 ? port : other).take(limit, 'a')),
          );
          assert.equal(answers.filter(({ ok }) => ok).length, points);
          await other.giveBack(limit, 'a');
          assert.equal(await taken(port, 'a', 2), 1);
        },
        'processes',
      );

      clause(
        'LIMITS-901 has everything when it is reopened',
        async ({ port, reopen }) => {
          await taken(port, 'a', points);
          await taken(port, 'b', points - 1);
          const reopened = await reopen();
          assert.equal(await taken(reopened, 'a', 1), 0);
          assert.equal(await taken(reopened, 'b', 2), 1);
        },
        'durable',
      );

      clause(
        'LIMITS-902 has nothing when it is reopened, if declared not durable',
        async ({ port, reopen }) => {
          await taken(port, 'a', points);
          assert.equal(await taken(await reopen(), 'a', 1), 1);
        },
        'not durable',
      );

      clause(
        'LIMITS-904 counts separately in a second process, if declared to serve one',
        async ({ port, beside }) => {
          await taken(port, 'a', points);
          assert.equal(await taken(await beside(), 'a', points + 1), points);
        },
        'not processes',
      );
    },
  });
}
