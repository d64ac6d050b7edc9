import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-kept-changes.ts';
const memory = 'test/doubles/memory-kept-changes.ts';

/** Ways in which a store of kept changes can be broken. */
export const keptChanges: PortMutants = {
  port: 'kept-changes',
  mutants: [
    ...texts('SQLite', sql, [
      [
        'addAll([change], em)',
        'addAll([{ ...change, irreversible: null }], em)',
        'loses why a change cannot be taken back',
      ],
      ['addAll([change], em)', 'addAll([{ ...change, grantId: change.grantId ?? "" }], em)', 'takes no app for one'],
      ["but('content')", "but('account')", 'lists without the account'],
      ["change({ id, state: 'begun' }", 'change({ id }', 'completes a change that was taken back'],
      ["{ ...settled, state: 'kept' }", '{ ...settled }', 'leaves a change that was done as begun'],
      ['{ ...settled, state', '{ ...settled, recordId: null, state', 'forgets the record'],
      ['this.#kept.find({ id })', 'this.#kept.find({ id: { $like: id } })', 'ignores the case of ids'],
      ['given({ userId, grantId,', 'given({ grantId,', 'lists the changes of everybody'],
      ['given({ userId, grantId,', 'given({ userId,', 'lists the changes of all apps'],
      ['service, recordId, partOf,', 'service, partOf,', 'lists all records'],
      ['partOf, account, at: given', 'partOf, at: given', 'lists all accounts'],
      ['grantId, service, recordId,', 'grantId, recordId,', 'lists all services'],
      ['$gte: since', '$gt: since', 'leaves out what was made at that time'],
      ['at: { $lt: before.at } }', 'at: { $lte: before.at } }', 'lists one of the same time twice'],
      ['id: { $lt: before.id }', 'id: { $gt: before.id }', 'skips one of the same time'],
      ["orderBy({ at: 'desc', id: 'desc' })", "orderBy({ at: 'asc', id: 'desc' })", 'lists the earliest first'],
      [
        "orderBy({ at: 'desc', id: 'desc' })",
        "orderBy({ at: 'desc', id: 'asc' })",
        'lists those of one time otherwise',
      ],
      ['found.limit(Math.trunc(limit))', 'found', 'lists more than was asked for'],
      ['update({ id, state: from }', 'update({ id }', 'takes back twice'],
      ['{ state, undoneAt })) === 1', '{ state, undoneAt })) >= 0', 'says that it moved what was elsewhere'],
      ['{ state, undoneAt })) === 1', '{ state })) === 1', 'forgets when it was taken back'],
      ["deleteBefore('at', before)", "deleteBefore('at', before + 1)", 'prunes one that was made at that time'],
      ['$gt: after', '$gte: after', 'lists an encrypted text twice'],
      ['update({ id, ...before }', 'update({ id }', 'replaces a text that was changed meanwhile'],
      ["{ content: content ?? '', irreversible }", "{ content: content ?? '' }", 'replaces the contents only'],
    ]),
    ...texts('memory', memory, [
      [
        'this.#changes.set(change.id, frozenCopy(change))',
        'this.#changes.set(change.id, change)',
        'keeps the object that it was given',
      ],
      ["if (found?.state === 'begun')", 'if (found !== undefined)', 'completes a change that was taken back'],
      ['|| found.state !== from', '', 'takes back twice'],
      ['isSame(grantId, change.grantId)', 'true', 'lists the changes of all apps'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'keeps nothing'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'lost', method: 'remove' }, 'removes nothing'],
      [{ op: 'lost', method: 'removeOf' }, 'removes nothing of a user'],
      [{ op: 'lost', method: 'settle' }, 'completes nothing'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'short', method: 'summaries' }, 'leaves out the last'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
      [{ op: 'lost', method: 'reseal', answer: true }, 'replaces nothing'],
    ]),
  ],
};
