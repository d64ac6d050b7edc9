import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-grants.ts';
const memory = 'test/doubles/memory-grants.ts';

/** Ways in which a store of the grants of apps can be broken. */
export const grants: PortMutants = {
  port: 'grants',
  mutants: [
    ...texts('SQLite', sql, [
      [
        "where id = ?', [id]);\n    return this",
        "where lower(id) = lower(?)', [id]);\n    return this",
        'ignores the case of ids',
      ],
      ['where user_id = ? order by', 'where ? is not null order by', 'lists the grants of everybody'],
      ['order by since desc, id', 'order by since, id', 'lists the earliest first'],
      [
        'last_used_at is null or last_used_at < ?',
        'last_used_at is null or ? > 0',
        'lets an earlier use replace a later one',
      ],
      ['last_used_at is null or last_used_at < ?', 'last_used_at is null and ? > 0', 'records the first use only'],
      ['set last_used_at = ? where id = ?', 'set last_used_at = ? where ? is not null', 'records a use for all grants'],
      [
        'where id = ? and user_id = ? returning',
        'where id = ? and ? is not null returning',
        'removes grants of others',
      ],
      [
        'where id = ? and user_id = ? returning',
        'where ? is not null and user_id = ? returning',
        'removes all of a user',
      ],
      ['return rows.length === 1;', 'return true;', 'says that it removed what was not there'],
      ['where since < ?', 'where since <= ?', 'prunes one that was made at that time'],
      ['where since < ?', 'where coalesce(last_used_at, since) < ?', 'keeps old ones that were used'],
      [
        'services: row.services === null ? null : ',
        'services: row.services === null ? [] : ',
        'loses that all services were granted',
      ],
      ['isReadonly: row.is_readonly', 'isReadonly: false', 'widens what was granted'],
      ['clientName: row.client_name', 'clientName: row.client_id', 'loses the name of the app'],
      [
        'lastUsedAt: row.last_used_at',
        'lastUsedAt: row.last_used_at ?? row.since',
        'takes a grant that was never used for used',
      ],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(grant)', 'grant', 'keeps the object that it was given'],
      ['this.#grants.get(id)?.userId === userId && ', '', 'removes grants of others'],
      ['filter((grant) => grant.userId === userId)', 'filter(() => true)', 'lists the grants of everybody'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'loses every grant'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'lost', method: 'remove', answer: true }, 'removes nothing'],
      [{ op: 'late', method: 'remove', answer: true }, 'removes after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'short', method: 'list' }, 'leaves out the last'],
      [{ op: 'lost', method: 'noteUse' }, 'records no use'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
    ]),
  ],
};
