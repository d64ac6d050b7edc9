import { registrationsOnPostgres } from '#test/mutants/lists/postgres/registrations.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-webhook-registrations.ts';
const memory = 'test/doubles/memory-webhook-registrations.ts';
const place = 'where user_id = ? and service = ? and name = ? and version = ?';

/** Ways in which a store of webhook registrations can be broken. */
export const registrations: PortMutants = {
  port: 'registrations',
  mutants: [
    ...texts('SQLite', sql, [
      ['order by user_id, service, name', 'order by cast(user_id as text), service, name', 'lists users as texts'],
      ['order by user_id, service, name', 'order by service, user_id, name', 'lists by service first'],
      ['order by user_id, service, name', 'order by since', 'lists by time'],
      ['version: line.version + 1', 'version: line.version', 'does not count changes'],
      ['return rows.length === 1 ? kept : null', 'return kept', 'says that it was kept when it was not'],
      [
        'on conflict (user_id, service, name) do nothing',
        'on conflict (user_id, service, name) do update set remote_id = excluded.remote_id',
        'puts a second first one in the place of the first',
      ],
      [
        `       ${place} returning`,
        '       where user_id = ? and service = ? and name = ? and ? > 0 returning',
        'changes any version',
      ],
      [
        `       ${place} returning`,
        '       where user_id = ? and service = ? and name = ? and version <= ? returning',
        'changes later versions',
      ],
      [
        `       ${place} returning`,
        '       where user_id = ? and service = ? and ? is not null and version = ? returning',
        'changes rows of every name',
      ],
      [
        "const where = 'user_id = ? and service = ? and name = ? and version = ?'",
        "const where = 'user_id = ? and service = ? and name = ? and ? > 0'",
        'removes any version',
      ],
      [
        "const where = 'user_id = ? and service = ? and name = ? and version = ?'",
        "const where = 'user_id > 0 and ? > 0 and service = ? and name = ? and version = ?'",
        'removes the rows of every user',
      ],
      [
        "const where = 'user_id = ? and service = ? and name = ? and version = ?'",
        'const where = "user_id = ? and ? <> \'\' and name = ? and version = ?"',
        'removes the rows of every service',
      ],
      ['secret_mark: line.secretFingerprint', 'secret_mark: null', 'loses the fingerprint'],
      ['account: line.account,\n    state', 'account: null,\n    state', 'loses the account'],
      ['expires_at: line.expiresAt', 'expires_at: line.registeredAt', 'keeps another time of expiry'],
      ['checked_at: line.checkedAt', 'checked_at: line.checkedAt ?? 0', 'was checked when it was not'],
      ['retry_at: line.retryAt', 'retry_at: null', 'loses the time of the next attempt'],
      ['failures: line.failures', 'failures: 0', 'loses the failures'],
      ['reason: row.reason', 'reason: null', 'loses the reason'],
      ['events: JSON.stringify(line.events)', 'events: JSON.stringify([...line.events].sort())', 'sorts the events'],
      ['remoteId: row.remote_id', 'remoteId: row.account', 'mixes members up'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ ...line', '({ ...line', 'hands out what it stores'],
      ['?.version !== line.version) return false', '=== undefined) return false', 'removes any version'],
      ['?? 0) !== line.version', '?? line.version) !== line.version', 'brings back what was removed'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'remove', answer: true }, 'removes nothing'],
      [{ op: 'late', method: 'remove', answer: true }, 'removes after it has answered'],
      [{ op: 'shared', method: 'list' }, 'hands out one list again and again'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'short', method: 'list' }, 'leaves the last out'],
      [{ op: 'argument', method: 'keep', path: '0.userId', value: 7 }, 'keeps every row for one user'],
      [{ op: 'argument', method: 'keep', path: '0.since', value: 0 }, 'loses when a state began'],
    ]),
    ...registrationsOnPostgres,
  ],
};
