import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-identities.ts';
const memory = 'test/doubles/memory-identities.ts';

/** Ways in which a store of identities can be broken. */
export const identities: PortMutants = {
  port: 'identities',
  mutants: [
    ...texts('SQLite', sql, [
      ['find({ id })', 'find({ id: { $like: id } })', 'ignores the case of ids'],
      ['list({ userId }, {', 'list({}, {', 'lists the identities of everybody'],
      ["{ linkedAt: 'asc'", "{ linkedAt: 'desc'", 'lists the latest first'],
      ['update({ id, userId: null }, values)', 'update({ id }, values)', 'takes an identity from its user'],
      [
        'update({ id, userId: null }, values)',
        'update({ userId: null }, values)',
        'links all identities without a user',
      ],
      ['values)) === 1', 'values)) >= 0', 'says that it linked what is another’s'],
      ['{ id, userId: { $ne: null } }', '{ id }', 'writes an e-mail to the identity of a deleted user'],
      ['{ id, userId: { $ne: null } }', '{ userId: { $ne: null } }', 'records a use of all identities'],
      ['delete({ id, userId })', 'delete({ id })', 'unlinks those of others'],
      ['delete({ id, userId })', 'delete({ userId })', 'unlinks all of a user'],
      ['delete({ id, userId })) === 1', 'delete({ id, userId })) >= 0', 'says that it unlinked what was not there'],
      ['{ userId: null, email: null }', '{ userId: null }', 'keeps the e-mail of a deleted user'],
      ['update({ userId }, {', 'update({}, {', 'forgets the users of all identities'],
      ['this.#identities.add(identity)', 'this.#identities.add({ ...identity, email: null })', 'loses the e-mail'],
      [
        'this.#identities.add(identity)',
        'this.#identities.add({ ...identity, lastUsedAt: null })',
        'loses the last use',
      ],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(identity)', 'identity', 'keeps the object that it was given'],
      [
        'known !== undefined && known.userId !== null) return false',
        'known !== undefined) return false',
        'links no identity of a deleted user',
      ],
      ['if (known !== undefined && known.userId !== null) return false;', '', 'takes an identity from its user'],
      ['userId === userId && this', 'userId !== -1 && this', 'unlinks those of others'],
      ['filter((identity) => identity.userId === userId)', 'filter(() => true)', 'lists the identities of everybody'],
      ['userId: null, email: null', 'userId: null', 'keeps the e-mail of a deleted user'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'link', answer: true }, 'loses every identity'],
      [{ op: 'late', method: 'link', answer: true }, 'stores after it has answered'],
      [{ op: 'lost', method: 'noteUse' }, 'records no use'],
      [{ op: 'lost', method: 'unlink', answer: true }, 'unlinks nothing'],
      [{ op: 'lost', method: 'forgetUser', answer: 2 }, 'forgets no user'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'short', method: 'list' }, 'leaves out the last'],
    ]),
  ],
};
