import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-activity-log.ts';
const memory = 'test/doubles/memory-activity-log.ts';

/** Ways in which a log of activity can be broken. */
export const activityLog: PortMutants = {
  port: 'activity-log',
  mutants: [
    ...texts('SQLite', sql, [
      ['keptId: entry.keptId ?? null', 'keptId: null', 'loses what is kept of a change'],
      ['chosen: given({ userId, service })', 'chosen: given({ service })', 'lists the entries of everybody'],
      ['chosen: given({ userId, service })', 'chosen: given({ userId })', 'lists the entries of all services'],
      ['chosen: given({ userId, app })', 'chosen: given({ userId })', 'lists the entries of all apps'],
      ['chosen: given({ userId, app })', 'chosen: given({ app })', 'lists the entries of an app for everybody'],
      ['service === undefined ? [] : [raw', 'service !== undefined ? [] : [raw', 'lists all services of an app'],
      ['$lt: before }) })', '$lte: before }) })', 'lists an entry on two pages'],
      ["orderBy({ id: 'desc' })", "orderBy({ at: 'desc', id: 'desc' })", 'lists by time'],
      ["orderBy({ id: 'desc' })", "orderBy({ id: 'asc' })", 'lists the first first'],
      ['limit(Math.trunc(limit))', 'limit(100)', 'lists a hundred always'],
      ['for (const userId of [own, allUsers])', 'for (const userId of [own])', 'names no app of all users'],
      [
        "deleteBefore('lastAt', before)",
        "deleteBefore('lastAt', before + 1)",
        'forgets the app of the first entry that stays',
      ],
      ["orderBy({ app: 'asc' })", "orderBy({ app: 'desc' })", 'names apps the other way round'],
      ["deleteBefore('at', before)", "deleteBefore('at', before + 1)", 'prunes what began at that time'],
      [
        'rows.slice(part * rowsAStatement,',
        'rows.slice(part * rowsAStatement + Math.sign(part),',
        'loses an entry between two statements',
      ],
      ['usage_counts.${name} + excluded.${name}', 'excluded.${name}', 'replaces a count instead of adding to it'],
      ["['count', 'failed', 'tokens'].map", "['count', 'failed'].map", 'does not add up tokens'],
      ['userId: userId ?? allUsers, hour', 'userId: userId ?? 7, hour', 'counts all users as one of them'],
      ['hour: { $gte: since }', 'hour: { $gt: since }', 'leaves out the first hour'],
      [
        "deleteBefore('hour', before)",
        "deleteBefore('hour', before + 1)",
        'prunes the counts of the hour at that time',
      ],
      ["{ hour: 'asc', kind: 'asc', service: 'asc' }", "{ hour: 'desc' }", 'lists the latest hour first'],
      ['partOf: entry.partOf ?? null })', 'partOf: entry.partOf ?? null, grantId: null })', 'loses the grant'],
      [
        'partOf: entry.partOf ?? null })',
        "partOf: entry.partOf ?? null, outcome: 'ok' })",
        'records every call as a good one',
      ],
      [
        'partOf: entry.partOf ?? null })',
        'partOf: entry.partOf ?? null, recordUrl: null })',
        'loses the address of the record',
      ],
    ]),
    ...texts('SQLite', 'adapters/persistence/time-bounds.ts', [
      ["sign: '>=', value: from", "sign: '>', value: from", 'leaves out what began at the first time'],
      ["sign: '<', value: until", "sign: '<=', value: until", 'lists what began at the last time'],
      ["id('max')", "id('min')", 'lists one entry of a time'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ ...entry, id: this.#lastId })', '({ ...entry, id: this.#lastId })', 'hands out what it stores'],
      ['(query.userId ?? entry.userId) === entry.userId &&', '', 'lists the entries of everybody'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'add' }, 'loses every entry'],
      [{ op: 'late', method: 'add' }, 'stores after it has answered'],
      [{ op: 'twice', method: 'add' }, 'stores each entry twice'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'short', method: 'apps' }, 'leaves out the last app'],
      [{ op: 'lost', method: 'prune', answer: 0 }, 'prunes nothing'],
    ]),
  ],
};
