import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-allowed-operations.ts';
const memory = 'test/doubles/memory-allowed-operations.ts';

/** Ways in which a store of what users always allow can be broken. */
export const allowedOperations: PortMutants = {
  port: 'allowed-operations',
  mutants: [
    ...texts('SQLite', sql, [
      ['add(allowed)', 'put(allowed)', 'says that it was allowed later'],
      ['add(allowed)', 'insert(allowed)', 'fails where it is allowed already'],
      ['list({ userId },', 'list({},', 'lists what everybody allows'],
      [
        ", { grantId: 'asc', service: 'asc', operation: 'asc' }",
        ", { at: 'asc', operation: 'desc' }",
        'lists in another order',
      ],
      [
        'delete({ userId, grantId, service, operation })',
        'delete({ grantId, service, operation })',
        'removes those of others',
      ],
      [
        'delete({ userId, grantId, service, operation })',
        'delete({ userId, service, operation })',
        'removes those of other apps',
      ],
      [
        'delete({ userId, grantId, service, operation })',
        'delete({ userId, grantId, operation })',
        'removes those of other services',
      ],
      [
        'delete({ userId, grantId, service, operation })',
        'delete({ userId, grantId, service })',
        'removes other operations',
      ],
      ['operation })) === 1', 'operation })) >= 0', 'says that it removed what was not there'],
      ['grantId: grantId ?? undefined', '', 'removes those of all apps'],
      ['given({ userId, grantId: grantId', 'given({ grantId: grantId', 'removes those of everybody'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(allowed)', 'allowed', 'keeps the object that it was given'],
      ['if (!this.#allowed.has(key)) ', '', 'says that it was allowed later'],
      ['(grantId === null || one.grantId === grantId)', 'true', 'removes those of all apps'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'keeps nothing'],
      [{ op: 'stale', method: 'list' }, 'remembers what it listed first'],
      [{ op: 'lost', method: 'remove', answer: true }, 'removes nothing'],
      [{ op: 'lost', method: 'removeOf' }, 'removes nothing of an app'],
    ]),
  ],
};
