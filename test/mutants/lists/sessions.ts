import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-sessions.ts';
const memory = 'test/doubles/memory-sessions.ts';

/** Ways in which a store of the sessions of persons can be broken. */
export const sessions: PortMutants = {
  port: 'sessions',
  mutants: [
    ...texts('SQLite', sql, [
      [
        "where id = ?', [id]);\n    return row",
        "where lower(id) = lower(?)', [id]);\n    return row",
        'ignores the case of ids',
      ],
      ['where user_id = ? order by', 'where ? is not null order by', 'lists the sessions of everybody'],
      ['order by begun_at desc, id', 'order by begun_at, id', 'lists the earliest first'],
      ['order by begun_at desc, id', 'order by expires_at desc, id', 'lists by the end'],
      ['where id = ? and expires_at < ?', 'where id = ? and ? > 0', 'moves an end back'],
      ['where id = ? and expires_at < ?', 'where ? is not null and expires_at < ?', 'moves the end of all sessions'],
      ['where id = ? and user_id = ? returning', 'where id = ? and ? is not null returning', 'ends those of others'],
      ['where id = ? and user_id = ? returning', 'where ? is not null and user_id = ? returning', 'ends all of a user'],
      ['return rows.length === 1;', 'return true;', 'says that it ended what was not there'],
      ['where user_id = ? returning', 'where ? is not null returning', 'ends the sessions of everybody'],
      ['where expires_at < ?', 'where expires_at <= ?', 'prunes one that expires at that time'],
      ['where expires_at < ?', 'where begun_at < ?', 'prunes by the beginning'],
      ['begunBy: row.begun_by', "begunBy: 'login'", 'loses how a session was begun'],
      ['begunAt: row.begun_at', 'begunAt: row.expires_at', 'loses when a session was begun'],
      ['userAgent: row.user_agent', "userAgent: row.user_agent ?? ''", 'makes up a browser'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(session)', 'session', 'keeps the object that it was given'],
      ['this.#sessions.get(id)?.userId === userId && ', '', 'ends the sessions of others'],
      ['filter((session) => session.userId === userId)', 'filter(() => true)', 'lists the sessions of everybody'],
      ['session.expiresAt >= expiresAt', 'session.expiresAt === expiresAt', 'moves an end back'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'begin' }, 'loses every session'],
      [{ op: 'late', method: 'begin' }, 'stores after it has answered'],
      [{ op: 'lost', method: 'end', answer: true }, 'ends nothing'],
      [{ op: 'late', method: 'end', answer: true }, 'ends after it has answered'],
      [{ op: 'lost', method: 'endAll', answer: 2 }, 'ends none of a user'],
      [{ op: 'lost', method: 'extend' }, 'moves no end'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'short', method: 'list' }, 'leaves out the last'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
    ]),
  ],
};
