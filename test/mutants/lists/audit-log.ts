import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-audit-log.ts';
const memory = 'test/doubles/memory-audit-log.ts';

/** Ways in which an audit log can be broken. */
export const auditLog: PortMutants = {
  port: 'audit-log',
  mutants: [
    ...texts('SQLite', sql, [
      [': given(whose);', ': given({});', 'lists the entries of everybody'],
      ['undefined ? given({ action })', 'undefined ? given({})', 'lists all actions'],
      ['$lt: before }) })', '$lte: before }) })', 'lists an entry on two pages'],
      ['{ actorId: about }, { userId: about }', '{ actorId: about }', 'leaves out what was done to a user'],
      ['{ actorId: about }, { userId: about }', '{ userId: about }', 'leaves out what a user did'],
      ["orderBy({ id: 'desc' })", "orderBy({ at: 'desc', id: 'desc' })", 'lists by time'],
      ["orderBy({ id: 'desc' })", "orderBy({ id: 'asc' })", 'lists the first first'],
      ['limit(most)', 'limit(100)', 'lists a hundred always'],
      ["deleteBefore('at', before)", "deleteBefore('at', before + 1)", 'prunes what was done at that time'],
      ['insert(entry)', 'insert({ ...entry, detail: null })', 'loses what was set'],
    ]),
    ...texts('SQLite', 'adapters/persistence/time-bounds.ts', [
      ["sign: '>=', value: from", "sign: '>', value: from", 'leaves out what was done at the first time'],
      ["sign: '<', value: until", "sign: '<=', value: until", 'lists what was done at the last time'],
      ["id('max')", "id('min')", 'lists one entry of a time'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ ...entry, id: this.#lastId })', '({ ...entry, id: this.#lastId })', 'hands out what it stores'],
      [' || entry.userId === about', '', 'leaves out what was done to a user'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'add' }, 'loses every entry'],
      [{ op: 'late', method: 'add' }, 'stores after it has answered'],
      [{ op: 'twice', method: 'add' }, 'stores each entry twice'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
    ]),
  ],
};
