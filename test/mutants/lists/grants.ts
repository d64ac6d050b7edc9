import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-grants.ts';
const memory = 'test/doubles/memory-grants.ts';

/** Ways in which a store of the grants of apps can be broken. */
export const grants: PortMutants = {
  port: 'grants',
  mutants: [
    ...texts('SQLite', sql, [
      ['find({ id })', 'find({ id: { $like: id } })', 'ignores the case of ids'],
      ['list({ userId }, {', 'list({}, {', 'lists the grants of everybody'],
      ["{ since: 'desc'", "{ since: 'asc'", 'lists the earliest first'],
      ['{ lastUsedAt: { $lt: at } }', '{ lastUsedAt: { $gt: 0 } }', 'lets an earlier use replace a later one'],
      [', { lastUsedAt: { $lt: at } }]', ']', 'records the first use only'],
      ['update({ id, $or', 'update({ $or', 'records a use for all grants'],
      ['delete({ id, userId })', 'delete({ id })', 'removes grants of others'],
      ['delete({ id, userId })', 'delete({ userId })', 'removes all of a user'],
      ['delete({ id, userId })) === 1', 'delete({ id, userId })) >= 0', 'says that it removed what was not there'],
      ["deleteBefore('since', before)", "deleteBefore('since', before + 1)", 'prunes one that was made at that time'],
      ["deleteBefore('since', before)", "deleteBefore('lastUsedAt', before)", 'prunes by the last use'],
      ['update({ id, userId }, { ...change', 'update({ id }, { ...change', 'changes the grants of others'],
      ['update({ id, userId }, { ...change', 'update({ userId }, { ...change', 'changes all grants of a user'],
      ['{ ...change, ...former }', '{ ...former }', 'keeps what the user was asked'],
      ['{ ...change, ...former }', '{ ...change, ...former, switchedOff: [] }', 'loses what is switched off'],
      ['scope: scope ?? former', 'scope: former', 'reads the access of a service from that to all'],
      [
        '...formerAccess(grant.scope) }',
        "...formerAccess(grant.scope), scope: 'vault' }",
        'loses that all services were granted',
      ],
      [
        '...formerAccess(grant.scope) }',
        '...formerAccess(grant.scope), expiresAt: null }',
        'loses when a grant expires',
      ],
      ['...formerAccess(grant.scope) }', "...formerAccess(grant.scope), scope: '*' }", 'widens what was granted'],
      [
        '...formerAccess(grant.scope) }',
        '...formerAccess(grant.scope), clientName: grant.clientId }',
        'loses the name of the app',
      ],
      [
        '...formerAccess(grant.scope) }',
        '...formerAccess(grant.scope), lastUsedAt: grant.lastUsedAt ?? grant.since }',
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
