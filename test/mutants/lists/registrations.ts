import { registrationsOnPostgres } from '#test/mutants/lists/postgres/registrations.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-webhook-registrations.ts';
const memory = 'test/doubles/memory-webhook-registrations.ts';

/** Ways in which a store of webhook registrations can be broken. */
export const registrations: PortMutants = {
  port: 'registrations',
  mutants: [
    ...texts('SQLite', sql, [
      [
        "{ userId: 'asc', service: 'asc', name: 'asc' }",
        "{ service: 'asc', userId: 'asc', name: 'asc' }",
        'lists by service first',
      ],
      ["{ userId: 'asc', service: 'asc', name: 'asc' }", "{ since: 'asc' }", 'lists by time'],
      ['version: version + 1', 'version', 'does not count changes'],
      ['return isKept ? kept : null', 'return kept', 'says that it was kept when it was not'],
      [
        'await this.#registrations.add(kept)',
        '(await this.#registrations.put(kept), true)',
        'puts a second first one in the place of the first',
      ],
      ['update({ userId, service, name, version }', 'update({ userId, service, name }', 'changes any version'],
      [
        'update({ userId, service, name, version }',
        'update({ userId, service, name, version: { $lte: version } }',
        'changes later versions',
      ],
      [
        'update({ userId, service, name, version }',
        'update({ userId, service, version }',
        'changes rows of every name',
      ],
      ['delete({ userId, service, name, version })', 'delete({ userId, service, name })', 'removes any version'],
      [
        'delete({ userId, service, name, version })',
        'delete({ service, name, version })',
        'removes the rows of every user',
      ],
      [
        'delete({ userId, service, name, version })',
        'delete({ userId, name, version })',
        'removes the rows of every service',
      ],
      ['{ ...line, version', '{ ...line, secretFingerprint: null, version', 'loses the fingerprint'],
      ['{ ...line, version', '{ ...line, account: null, version', 'loses the account'],
      ['{ ...line, version', '{ ...line, expiresAt: line.registeredAt, version', 'keeps another time of expiry'],
      ['{ ...line, version', '{ ...line, checkedAt: line.checkedAt ?? 0, version', 'was checked when it was not'],
      ['{ ...line, version', '{ ...line, retryAt: null, version', 'loses the time of the next attempt'],
      ['{ ...line, version', '{ ...line, failures: 0, version', 'loses the failures'],
      ['{ ...line, version', '{ ...line, reason: null, version', 'loses the reason'],
      ['{ ...line, version', '{ ...line, events: [...line.events].sort(), version', 'sorts the events'],
      ['{ ...line, version', '{ ...line, remoteId: line.account, version', 'mixes members up'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ ...line', '({ ...line', 'hands out what it stores'],
      ['?.version !== line.version) return false', '=== undefined) return false', 'removes any version'],
      ['?? 0) !== line.version', '?? line.version) !== line.version', 'brings back what was removed'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'remove', answer: true }, 'removes nothing'],
      [{ op: 'late', method: 'remove', answer: true }, 'removes after it has answered'],
      [{ op: 'shared', method: 'list' }, 'hands out one list again and again'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'short', method: 'list' }, 'leaves the last out'],
      [{ op: 'argument', method: 'keep', path: '0.userId', value: 7 }, 'keeps every row for one user'],
      [{ op: 'argument', method: 'keep', path: '0.since', value: 0 }, 'loses when a state began'],
    ]),
    ...registrationsOnPostgres,
  ],
};
