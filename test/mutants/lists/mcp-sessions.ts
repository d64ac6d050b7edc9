import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/persistence/sql-mcp-sessions.ts';

/** Ways in which a store of MCP sessions can be broken. */
export const mcpSessions: PortMutants = {
  port: 'mcp-sessions',
  mutants: [
    ...texts('SQLite', file, [
      ['where id = ? and used_at > ${this.#over}`', 'where id = ?`', 'finds what is over'],
      [
        'where id = ? and used_at > ${this.#over}`',
        'where id = ? and used_at >= ${this.#over}`',
        'is over a moment too late',
      ],
      [
        'where id = ? and state = ? and used_at',
        "where id = ? and ? <> '' and used_at",
        'changes whatever state there is',
      ],
      ['and state = ? and used_at > ${this.#over} returning', 'and state = ? returning', 'changes what is over'],
      ['where used_at > ${this.#over} and id in', 'where id in', 'brings back what is over'],
      ['and id in (${places})', 'and (id in (${places}) or user_id > 0)', 'uses all sessions'],
      [
        'where id = ? and user_id = ? and used_at',
        'where id = ? and user_id + ? > 0 and used_at',
        'ends the sessions of others',
      ],
      ['and user_id = ? and used_at > ${this.#over} returning', 'and user_id = ? returning', 'ends what is over'],
      ['offset ${perUser}', 'offset ${perUser + 1}', 'holds one too many of a user'],
      ['offset ${perUser}', 'offset ${perUser - 1}', 'holds one too few of a user'],
      ['offset ${all}', 'offset ${all + 1}', 'holds one too many'],
      ['offset ${all}', 'offset ${all - 1}', 'holds one too few'],
      ['used_at desc, id', 'used_at asc, id', 'ends the session used last'],
      [
        'case when id = ? then 0 else 1 end',
        'case when id = ? then 0 else 0 end',
        'may end the session that is opened',
      ],
      ['where user_id = ? ${kept}', 'where user_id > ? * 0 ${kept}', 'bounds all users as one'],
      [
        'delete from mcp_sessions where used_at <= ${this.#over}',
        'delete from mcp_sessions where used_at < 0',
        'counts what is over',
      ],
      ['set state = ? where', 'set used_at = ${this.#now}, state = ? where', 'takes a change for a use'],
      [
        'delete from mcp_sessions where used_at <= ${this.#over}',
        'delete from mcp_sessions where used_at <= ${this.#now} - 15',
        'forgets too soon',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'lost', method: 'open', answer: [] }, 'loses every session'],
      [{ op: 'lost', method: 'use' }, 'notes no use'],
      [{ op: 'always', method: 'open', answer: [] }, 'does not tell what it ended'],
      [{ op: 'lost', method: 'end', answer: true }, 'ends nothing'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'argument', method: 'open', path: '1.userId', value: 1 }, 'keeps another user'],
      [{ op: 'forgets' }, 'forgets at the end'],
      [{ op: 'apart' }, 'is apart from a second process'],
    ]),
  ],
};
