import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-activity-log.ts';
const memory = 'test/doubles/memory-activity-log.ts';

/** Ways in which a log of activity can be broken. */
export const activityLog: PortMutants = {
  port: 'activity-log',
  mutants: [
    ...texts('SQLite', sql, [
      ["['user_id = ?', userId],", '', 'lists the entries of everybody'],
      ["['service = ?', service],", '', 'lists the entries of all services'],
      ["['app = ?', app],", '', 'lists the entries of all apps'],
      ["['app = ?', app],", "['lower(app) = lower(?)', app],", 'ignores the case of an app’s name'],
      ["['at >= ?', from],", "['at > ?', from],", 'leaves out what began at the first time'],
      ["['at < ?', until],", "['at <= ?', until],", 'lists what began at the last time'],
      ["['id < ?', before],", "['id <= ?', before],", 'lists an entry on two pages'],
      ["join(' and ')", "join(' or ')", 'lists what is like one of the things asked for'],
      ['order by id desc', 'order by at desc, id desc', 'lists by time'],
      ['order by id desc', 'order by id', 'lists the first first'],
      ['limit ${Math.trunc(limit)}', 'limit 100', 'lists a hundred always'],
      ['select distinct app', 'select app', 'names an app for each entry'],
      ['order by app limit 200', 'order by app desc limit 200', 'names apps the other way round'],
      ['where at < ? returning', 'where at <= ? returning', 'prunes what began at that time'],
      ['start += rowsAStatement', 'start += rowsAStatement + 1', 'loses an entry between two statements'],
      ['return [at, userId, grantId, app,', 'return [at, userId, null, app,', 'loses the grant'],
      ['recordUrl, outcome, ms];', "recordUrl, 'ok', ms];", 'records every call as a good one'],
      ['recordId, recordUrl, outcome, ms];', 'recordId, null, outcome, ms];', 'loses the address of the record'],
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
