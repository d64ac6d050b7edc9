import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/persistence/sql-mcp-sessions.ts';

/** Ways in which a store of MCP sessions can be broken. */
export const mcpSessions: PortMutants = {
  port: 'mcp-sessions',
  mutants: [
    ...texts('SQLite', file, [
      ['where({ id, usedAt: this.#unexpired })', 'where({ id })', 'finds what is over'],
      ['{ $gt: this.#over }', '{ $gte: this.#over }', 'is over a moment too late'],
      ['update({ id, state: before, usedAt', 'update({ id, usedAt', 'changes whatever state there is'],
      ['state: before, usedAt: this.#unexpired }', 'state: before }', 'changes what is over'],
      ['$in: [...ids] }, usedAt: this.#unexpired }', '$in: [...ids] } }', 'brings back what is over'],
      ['{ id: { $in: [...ids] }, usedAt', '{ usedAt', 'uses all sessions'],
      ['delete({ id, userId, usedAt', 'delete({ id, usedAt', 'ends the sessions of others'],
      ['{ id, userId, usedAt: this.#unexpired }', '{ id, userId }', 'ends what is over'],
      ['[userId, id], perUser)', '[userId, id], perUser + 1)', 'holds one too many of a user'],
      ['[userId, id], perUser)', '[userId, id], perUser - 1)', 'holds one too few of a user'],
      ['[id], all)', '[id], all + 1)', 'holds one too many'],
      ['[id], all)', '[id], all - 1)', 'holds one too few'],
      ['used_at desc, id', 'used_at asc, id', 'ends the session used last'],
      [
        'case when id = ? then 0 else 1 end',
        'case when id = ? then 0 else 0 end',
        'may end the session that is opened',
      ],
      ['where user_id = ? ${kept}', 'where user_id > ? * 0 ${kept}', 'bounds all users as one'],
      ['delete({ usedAt: { $lte: this.#over } })', 'delete({ usedAt: { $lt: 0 } })', 'counts what is over'],
      ['{ state: after }', '{ state: after, usedAt: raw(this.#now) }', 'takes a change for a use'],
      ['{ $lte: this.#over }', '{ $lte: raw(`${this.#now} - 15`) }', 'forgets too soon'],
    ]),
    ...calls('SQLite', [
      [{ op: 'lost', method: 'open', answer: [] }, 'loses every session'],
      [{ op: 'lost', method: 'use' }, 'notes no use'],
      [{ op: 'always', method: 'open', answer: [] }, 'does not return what it ended'],
      [{ op: 'lost', method: 'end', answer: true }, 'ends nothing'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'argument', method: 'open', path: '1.userId', value: 1 }, 'keeps another user'],
      [{ op: 'forgets' }, 'forgets at the end'],
      [{ op: 'apart' }, 'is apart from a second process'],
    ]),
  ],
};
