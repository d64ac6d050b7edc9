import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-notifications.ts';
const memory = 'test/doubles/memory-notifications.ts';

/** Ways in which a store of notifications can be broken. */
export const notifications: PortMutants = {
  port: 'notifications',
  mutants: [
    ...texts('SQLite', sql, [
      ['this.#notifications.add(openRow', 'this.#notifications.put(openRow', 'replaces what is known'],
      ['dueAt: at, isDigest: false', 'dueAt: at + 1, isDigest: false', 'is due a moment too late'],
      ['channel: { $in: [...channels] }, dueAt: { $lte', 'dueAt: { $lte', 'lists other channels'],
      ['$lte: now', '$lt: now', 'leaves out what is due now'],
      ["{ dueAt: 'asc', id: 'asc' }", "{ dueAt: 'desc', id: 'asc' }", 'lists the latest first'],
      ['update({ id, dueAt, attempts }, claimed)', 'update({ id, attempts }, claimed)', 'claims what was deferred'],
      ['update({ id, dueAt, attempts }, claimed)', 'update({ id }, claimed)', 'claims what another has claimed'],
      ['attempts: attempts + 1', 'attempts', 'counts no attempt'],
      [
        'update({ id, endedAt: null }, { dueAt, ...more })',
        'update({ id }, { dueAt, ...more })',
        'defers what has ended',
      ],
      ['{ dueAt, ...more }', '{ dueAt }', 'makes no digest'],
      ['$in: [...ids] }, endedAt: null }', '$in: [...ids] } }', 'ends what has ended again'],
      ["channel: 'mail', kind, result", 'kind, result', 'counts what is no e-mail'],
      ["kind, result: 'sent'", "result: 'sent'", 'counts other kinds'],
      ["result: 'sent', isDigest: false", 'isDigest: false', 'counts what was dropped'],
      ['isDigest: false, endedAt: { $gte', 'endedAt: { $gte', 'counts digests'],
      ['$gte: since', '$gt: since', 'leaves out the time itself'],
      ["deleteBefore('endedAt', before)", "deleteBefore('endedAt', before + 1)", 'prunes a moment too soon'],
      ['dueAt: { $ne: null }', 'dueAt: { $ne: 0 }', 'counts what has ended'],
      ['[...off].sort()', '[...off]', 'lists what is off in another order'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ ...given, ...open })', '{ ...given, ...open }', 'keeps the object that it was given'],
      ['kept.dueAt !== dueAt || kept.attempts !== attempts', 'false', 'claims what another has claimed'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'add', answer: true }, 'adds nothing'],
      [{ op: 'always', method: 'claim', answer: true }, 'lets everybody claim'],
      [{ op: 'lost', method: 'defer' }, 'defers nothing'],
      [{ op: 'lost', method: 'end' }, 'ends nothing'],
      [{ op: 'lost', method: 'prune', answer: 1 }, 'prunes nothing'],
      [{ op: 'lost', method: 'switchOff' }, 'switches nothing off'],
    ]),
  ],
};
