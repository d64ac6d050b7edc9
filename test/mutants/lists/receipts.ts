import { receiptsOnPostgres } from '#test/mutants/lists/postgres/receipts.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-receipt-log.ts';
const memory = 'test/doubles/memory-receipt-log.ts';

/** Ways in which a log of receipts can be broken. */
export const receipts: PortMutants = {
  port: 'receipts',
  mutants: [
    ...texts('SQLite', sql, [
      ['where excluded.used_at > webhook_secret_uses.used_at', '', 'goes back in time'],
      [
        'where excluded.used_at > webhook_secret_uses.used_at',
        'where excluded.used_at < webhook_secret_uses.used_at',
        'keeps the earliest use',
      ],
      [
        'do update set used_at = excluded.used_at\n       where excluded.used_at > webhook_secret_uses.used_at',
        'do nothing',
        'keeps the first use',
      ],
      [
        'where excluded.used_at > webhook_secret_uses.used_at',
        'where excluded.used_at >= webhook_secret_uses.used_at',
        'writes the same time again',
        'The same time in place of itself is the same.',
      ],
      ['order by service, secret_id', 'order by used_at', 'lists uses by time'],
      ['order by service, secret_id', 'order by secret_id, service', 'lists uses by id first'],
      ['[use.service, use.secretId, use.usedAt]', "['tracker', use.secretId, use.usedAt]", 'has one service for all'],
      ['receivedAt, ageMs],', 'receivedAt, ageMs ?? 0],', 'has an age where there is none'],
      ['receivedAt, ageMs],', 'receivedAt, ageMs === null ? null : Math.abs(ageMs)],', 'loses the sign of an age'],
      ['times = webhook_stale.times + 1', 'times = webhook_stale.times', 'does not count'],
      ['times = webhook_stale.times + 1', 'times = 2', 'counts to 2'],
      ['set received_at = excluded.received_at, age_ms', 'set age_ms', 'keeps the first time'],
      ['age_ms = excluded.age_ms,\n', '\n', 'keeps the first age'],
      [
        'limit 100 offset ${maxStale}',
        'limit 100 offset ${maxStale + 1}',
        'keeps one too many',
        'The list shows 500 at the most, and the one too many is the oldest.',
      ],
      ['limit 100 offset ${maxStale}', 'limit 100 offset ${maxStale - 1}', 'keeps one too few'],
      [
        'select service, delivery_id from webhook_stale order by received_at desc, delivery_id limit',
        'select service, delivery_id from webhook_stale order by received_at, delivery_id limit',
        'drops the latest',
      ],
      [
        'from webhook_stale\n       order by received_at desc, delivery_id',
        'from webhook_stale\n       order by received_at, delivery_id',
        'lists the earliest first',
      ],
      [
        'from webhook_stale\n       order by received_at desc, delivery_id',
        'from webhook_stale\n       order by received_at desc, delivery_id desc',
        'lists those of one time the other way round',
      ],
      ['limit ${Math.trunc(Math.min(limit, maxStale))}', 'limit 500', 'does not heed the limit'],
      [
        '[of, deliveryId, receivedAt, ageMs]',
        "['tracker', deliveryId, receivedAt, ageMs]",
        'takes one id of two services for one',
      ],
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
