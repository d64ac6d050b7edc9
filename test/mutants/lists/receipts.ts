import { receiptsOnPostgres } from '#test/mutants/lists/postgres/receipts.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-receipt-log.ts';
const memory = 'test/doubles/memory-receipt-log.ts';

/** Ways in which a log of receipts can be broken. */
export const receipts: PortMutants = {
  port: 'receipts',
  mutants: [
    ...texts('SQLite', sql, [
      ['{ usedAt: { $lt: use.usedAt } }', '{}', 'goes back in time'],
      ['{ usedAt: { $lt: use.usedAt } }', '{ usedAt: { $gt: use.usedAt } }', 'keeps the earliest use'],
      [
        "merge(['usedAt']);\n    await query.where({ usedAt: { $lt: use.usedAt } })",
        'ignore();\n    await query',
        'keeps the first use',
      ],
      [
        '{ usedAt: { $lt: use.usedAt } }',
        '{ usedAt: { $lte: use.usedAt } }',
        'writes the same time again',
        'The same time in place of itself is the same.',
      ],
      ["{ service: 'asc', secretId: 'asc' }", "{ usedAt: 'asc' }", 'lists uses by time'],
      ["{ service: 'asc', secretId: 'asc' }", "{ secretId: 'asc', service: 'asc' }", 'lists uses by id first'],
      ['into(use)', "into({ ...use, service: 'tracker' })", 'has one service for all'],
      ['{ ...stale, times: 1 }', '{ ...stale, ageMs: ageMs ?? 0, times: 1 }', 'has an age where there is none'],
      [
        '{ ...stale, times: 1 }',
        '{ ...stale, ageMs: ageMs === null ? null : Math.abs(ageMs), times: 1 }',
        'loses the sign of an age',
      ],
      ["raw('webhook_stale.times + 1')", "raw('webhook_stale.times')", 'does not count'],
      ["raw('webhook_stale.times + 1')", '2', 'counts to 2'],
      ['merge({ receivedAt, ageMs,', 'merge({ ageMs,', 'keeps the first time'],
      ['merge({ receivedAt, ageMs,', 'merge({ receivedAt,', 'keeps the first age'],
      [
        "delivery_id', maxStale, em",
        "delivery_id', maxStale + 1, em",
        'keeps one too many',
        'The list shows 500 at the most, and the one too many is the oldest.',
      ],
      ["delivery_id', maxStale, em", "delivery_id', maxStale - 1, em", 'keeps one too few'],
      ["'received_at desc, delivery_id'", "'received_at, delivery_id'", 'drops the latest'],
      [
        "{ receivedAt: 'desc', deliveryId: 'asc' }",
        "{ receivedAt: 'asc', deliveryId: 'asc' }",
        'lists the earliest first',
      ],
      [
        "{ receivedAt: 'desc', deliveryId: 'asc' }",
        "{ receivedAt: 'desc', deliveryId: 'desc' }",
        'lists those of one time the other way round',
      ],
      ['Math.trunc(Math.min(limit, maxStale))', 'maxStale', 'does not heed the limit'],
      ['{ ...stale, times: 1 }', "{ ...stale, service: 'tracker', times: 1 }", 'takes one id of two services for one'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(use)', 'use', 'keeps the use that it was given'],
      ['frozenCopy({ ...stale', '({ ...stale', 'hands out what it stores'],
      ['use.usedAt >', 'use.usedAt !==', 'goes back in time'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'noteUse' }, 'loses every use'],
      [{ op: 'late', method: 'noteStale' }, 'notes after it has answered'],
      [{ op: 'twice', method: 'noteStale' }, 'counts twice'],
      [{ op: 'shared', method: 'uses' }, 'hands out one list of uses again and again'],
      [{ op: 'shared', method: 'stale' }, 'hands out one list of stale deliveries again and again'],
      [{ op: 'stale', method: 'stale' }, 'remembers what it listed first'],
      [{ op: 'short', method: 'uses' }, 'leaves the last use out'],
      [{ op: 'answer', method: 'uses', path: '*.usedAt', value: 0 }, 'loses the time of a use'],
    ]),
    ...receiptsOnPostgres,
  ],
};
