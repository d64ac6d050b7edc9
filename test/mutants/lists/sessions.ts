import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-sessions.ts';
const memory = 'test/doubles/memory-sessions.ts';

/** Ways in which a store of the sessions of persons can be broken. */
export const sessions: PortMutants = {
  port: 'sessions',
  mutants: [
    ...texts('SQLite', sql, [
      ['find({ id })', 'find({ id: { $like: id } })', 'ignores the case of ids'],
      ['list({ userId }, {', 'list({}, {', 'lists the sessions of everybody'],
      ["{ begunAt: 'desc'", "{ begunAt: 'asc'", 'lists the earliest first'],
      ["{ begunAt: 'desc'", "{ expiresAt: 'desc'", 'lists by the end'],
      ['{ id, expiresAt: { $lt: expiresAt } }', '{ id }', 'moves an end back'],
      ['{ id, expiresAt: { $lt: expiresAt } }', '{ expiresAt: { $lt: expiresAt } }', 'moves the end of all sessions'],
      ['delete({ id, userId })', 'delete({ id })', 'ends those of others'],
      ['delete({ id, userId })', 'delete({ userId })', 'ends all of a user'],
      ['delete({ id, userId })) === 1', 'delete({ id, userId })) >= 0', 'says that it ended what was not there'],
      [
        'return this.#sessions.delete({ userId });',
        'return this.#sessions.delete({});',
        'ends the sessions of everybody',
      ],
      [
        "deleteBefore('expiresAt', before)",
        "deleteBefore('expiresAt', before + 1)",
        'prunes one that expires at that time',
      ],
      ["deleteBefore('expiresAt', before)", "deleteBefore('begunAt', before)", 'prunes by the beginning'],
      ['{ lastSeenAt: { $lt: at } }', '{ lastSeenAt: { $gt: 0 } }', 'lets an earlier use replace a later one'],
      ['update({ id, $or', 'update({ $or', 'records a use for all sessions'],
      ['insert(session)', "insert({ ...session, begunBy: 'login' })", 'loses how a session was begun'],
      ['insert(session)', 'insert({ ...session, begunAt: session.expiresAt })', 'loses when a session was begun'],
      ['insert(session)', "insert({ ...session, userAgent: session.userAgent ?? '' })", 'makes up a browser'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(session)', 'session', 'keeps the object that it was given'],
      ['this.#sessions.get(id)?.userId === userId && ', '', 'ends the sessions of others'],
      ['filter((session) => session.userId === userId)', 'filter(() => true)', 'lists the sessions of everybody'],
      ['session.expiresAt >= expiresAt', 'session.expiresAt === expiresAt', 'moves an end back'],
      ['(session.lastSeenAt ?? at) > at', 'false', 'lets an earlier use replace a later one'],
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
      [{ op: 'lost', method: 'noteSeen' }, 'records no use'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'short', method: 'list' }, 'leaves out the last'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
    ]),
  ],
};
