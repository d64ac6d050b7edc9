import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-rate-limits.ts';
const file = 'infrastructure/limits/memory-rate-limits.ts';

/** Ways in which counters of rate limits can be broken. */
export const rateLimits: PortMutants = {
  port: 'rate-limits',
  mutants: [
    ...texts('memory', file, [
      [
        'new RateLimiterMemory({ points, duration: durationS })',
        'new RateLimiterMemory({ points: points + 1, duration: durationS })',
        'gives one point too many',
      ],
      [
        'new RateLimiterMemory({ points, duration: durationS })',
        'new RateLimiterMemory({ points: points - 1, duration: durationS })',
        'gives one point too few',
      ],
      [
        'new RateLimiterMemory({ points, duration: durationS })',
        'new RateLimiterMemory({ points, duration: durationS + 1 })',
        'has a window too long',
      ],
      [
        'new RateLimiterMemory({ points, duration: durationS })',
        'new RateLimiterMemory({ points, duration: durationS - 1 })',
        'has a window too short',
      ],
      [
        'new RateLimiterMemory({ points, duration: durationS })',
        'new RateLimiterMemory({ points: 60, duration: 60 })',
        'has one rule for all',
      ],
      ['Math.ceil(rejection.msBeforeNext / 1000)', 'Math.floor(rejection.msBeforeNext / 1000)', 'rounds the wait down'],
      [
        'Math.max(1, Math.ceil(rejection.msBeforeNext / 1000))',
        'rejection.msBeforeNext / 1000',
        'returns parts of seconds',
      ],
      ['Math.max(1, Math.ceil(rejection.msBeforeNext / 1000))', 'rejection.msBeforeNext', 'returns milliseconds'],
      ['.consume(key)', ".consume('')", 'counts all keys together'],
      ['.consume(key)', '.consume(key.trim().toLowerCase())', 'does not heed case and blanks of a key'],
      ['.consume(key)', '.consume(key, 2)', 'takes two points'],
      ['.consume(key)', '.get(key)', 'takes no point'],
      ['await this.#limiter(limit).counters.reward(key);', '', 'gives no point back'],
      ['.reward(key)', '.reward(key, 5)', 'gives five points back'],
      ['.reward(key)', '.delete(key)', 'gives every point back'],
      ['await this.#limiter(limit).counters.delete(key);', '', 'forgets no key'],
      [
        'await this.#limiter(limit).counters.delete(key);',
        'for (const one of this.#limiters.values()) await one.counters.delete(key);',
        'forgets a key in every limit',
      ],
      [
        'await this.#limiter(limit).counters.reward(key);',
        'for (const one of this.#limiters.values()) await one.counters.reward(key);',
        'gives a point back in every limit',
      ],
    ]),
    ...texts('SQLite', sql, [
      ['rate_limits.points < ${points}', 'rate_limits.points <= ${points}', 'gives one point too many'],
      ['rate_limits.points < ${points}', 'rate_limits.points + 1 < ${points}', 'gives one point too few'],
      ['rate_limits.points < ${points}', 'true', 'refuses nothing'],
      ['${durationS * 1000})', '${durationS * 1000 + 1000})', 'has a window too long'],
      ['${durationS * 1000})', '${durationS * 1000 - 1000})', 'has a window too short'],
      ['ends_at <= ${now} or', 'ends_at < ${now} or', 'ends a window a moment too late'],
      ['ends_at <= ${now} or', 'ends_at <= ${now} + 1 or', 'ends a window a moment too soon'],
      ['then 1 else rate_limits.points + 1 end', 'then 1 else 1 end', 'counts to one'],
      [
        'then 1 else rate_limits.points + 1 end',
        'then rate_limits.points + 1 else rate_limits.points + 1 end',
        'counts on in the next window',
      ],
      [
        'then excluded.ends_at else rate_limits.ends_at end',
        'then excluded.ends_at else excluded.ends_at end',
        'prolongs the window with each point',
      ],
      ['Math.ceil(waitMs / 1000)', 'Math.floor(waitMs / 1000)', 'rounds the wait down'],
      ['Math.max(1, Math.ceil(waitMs / 1000))', 'waitMs', 'returns milliseconds'],
      ['`${limit}:${hash', '`${hash', 'counts all limits together'],
      ["hash('sha256', key,", "hash('sha256', key.trim().toLowerCase(),", 'does not heed case and blanks of a key'],
      ["raw('points - 1')", "raw('points - 2')", 'gives two points back'],
      ["raw('points - 1')", '0', 'gives every point back'],
      ['await this.#limits.delete({ key: row });', '', 'forgets no key'],
      ['delete({ key: row })', 'delete({})', 'forgets all keys'],
      ['refused.times < points', 'refused.times < 1', 'refuses from memory at once'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'is not seen by a second process'],
      [{ op: 'lost', method: 'giveBack' }, 'gives nothing back'],
    ]),
    ...calls('memory', [
      [{ op: 'argument', method: 'take', path: '0', value: 'login_email' }, 'takes of one limit for all'],
      [{ op: 'argument', method: 'giveBack', path: '1', value: 'a' }, 'gives back to one key for all'],
      [{ op: 'always', method: 'take', answer: { ok: true, value: null } }, 'refuses nothing'],
      [
        { op: 'answer', method: 'take', path: 'failure', value: { reason: 'rate_limited', retryAfterS: 0 } },
        'returns no wait',
      ],
      [{ op: 'late', method: 'forget' }, 'forgets after it has answered'],
      [{ op: 'stale', method: 'take' }, 'remembers what it answered first'],
    ]),
  ],
};
