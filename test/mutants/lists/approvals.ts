import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-approvals.ts';
const memory = 'test/doubles/memory-approvals.ts';

/** Ways in which a store of approvals can be broken. */
export const approvals: PortMutants = {
  port: 'approvals',
  mutants: [
    ...texts('SQLite', sql, [
      [
        'into({ ...approval, openKey })',
        "into({ ...approval, openKey, state: 'waiting' })",
        'takes one that was decided for one that waits',
      ],
      ['into({ ...approval, openKey })', 'into({ ...approval, openKey, outcome: null })', 'loses the outcome'],
      ['into({ ...approval, openKey })', 'into({ ...approval, openKey: null })', 'keeps the same change twice'],
      ['approval.at < same.expiresAt', 'true', 'takes one that has expired for one that waits'],
      ['[userId, grantId, digest]', '[grantId, digest]', 'takes the change of another user for the same'],
      ['[userId, grantId, digest]', '[userId, digest]', 'takes the change of another app for the same'],
      ['{ ...values, openKey: null }', 'values', 'asks nothing again that was decided'],
      ['where({ id })', 'where({ id: { $like: id } })', 'ignores the case of ids'],
      ['given({ userId, state: given', 'given({ state: given', 'lists those of everybody'],
      ["(['waiting'] as const) : states", 'states : states', 'lists those that were decided among those that wait'],
      ['as const) : states', 'as const) : undefined', 'lists those in other states'],
      ["{ at: 'desc', id: 'desc' }", "{ at: 'asc', id: 'desc' }", 'lists the earliest first'],
      ["{ at: 'desc', id: 'desc' }", "{ at: 'desc', id: 'asc' }", 'lists those of one time otherwise'],
      ['.limit(Math.trunc(limit)));\n  }\n\n  #qb', ');\n  }\n\n  #qb', 'lists more than was asked for'],
      ['{ ...where, ...earlier }', 'where', 'lists the first page again'],
      ['}), digest })', '}) })', 'lists other changes'],
      ["{ userId, state: 'waiting', expires", "{ state: 'waiting', expires", 'counts those of everybody'],
      ["{ userId, state: 'waiting', expires", '{ userId, expires', 'counts those that were decided'],
      ['expiresAt: { $gt: now }', 'expiresAt: { $gte: now }', 'counts one that has just expired'],
      ['row.grantId === grantId', 'row.grantId !== null', 'counts those of other apps for one'],
      ['update({ id, state: from }', 'update({ id }', 'lets two people decide'],
      ['openKey: null })) === 1', 'openKey: null })) >= 0', 'says that it moved what was decided'],
      ['given({ state, decidedAt, comment })', 'given({ state, decidedAt })', 'loses the comment'],
      [
        "update({ id, state: 'running' }, { state: 'done'",
        "update({ id }, { state: 'done'",
        'ends one that was not made',
      ],
      [
        "{ state: 'done', outcome, expiresAt: until }",
        "{ state: 'done', outcome }",
        'keeps the outcome until the question ends',
      ],
      ["update({ id, state: 'running' }, again)", 'update({ id }, again)', 'asks again what was refused'],
      ["state: 'waiting', decidedAt: null }", "state: 'waiting' }", 'says that one that waits again was decided'],
      ['grantId: grantId ?? undefined', '', 'removes those of all apps'],
      ['given({ userId, grantId: grantId', 'given({ grantId: grantId', 'removes those of everybody'],
      [
        "deleteBefore('expiresAt', before)",
        "deleteBefore('expiresAt', before + 1)",
        'prunes one that expires at that time',
      ],
      ['$gt: after', '$gte: after', 'lists an encrypted text twice'],
      ['update({ id, ...before }', 'update({ id }', 'replaces a text that was changed meanwhile'],
      ['...others })) === 1', '})) === 1', 'replaces the contents only'],
    ]),
    ...texts('memory', memory, [
      ['set(approval.id, frozenCopy(approval))', 'set(approval.id, approval)', 'keeps the object that it was given'],
      ['|| found.state !== from', '', 'lets two people decide'],
      ['&& now < one.expiresAt', '', 'counts those that expired'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'keeps nothing'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'short', method: 'list' }, 'leaves out the last'],
      [{ op: 'lost', method: 'move', answer: true }, 'decides nothing'],
      [{ op: 'lost', method: 'end', answer: true }, 'keeps no outcome'],
      [{ op: 'lost', method: 'renew', answer: true }, 'does not ask again'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
      [{ op: 'lost', method: 'reseal', answer: true }, 'replaces nothing'],
    ]),
  ],
};
