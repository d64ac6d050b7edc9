import { leasesOnPostgres } from '#test/mutants/lists/postgres/leases.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-leases.ts';
const memory = 'test/doubles/memory-leases.ts';

/** Ways in which leases can be broken. */
export const leases: PortMutants = {
  port: 'leases',
  mutants: [
    ...texts('SQLite', sql, [
      ['leases.until <= ${now}', 'leases.until < ${now}', 'is held a moment too long'],
      ['leases.until <= ${now}', 'leases.until <= ${now} + 1', 'is free a moment too soon'],
      ['leases.until <= ${now}', 'true', 'is taken from its owner'],
      ['where leases.owner = excluded.owner or leases.until', 'where leases.until', 'is not prolonged by its owner'],
      [' or leases.until <= ${now}', '', 'never runs out'],
      ['then 0 else 1 end', 'then 1 else 1 end', 'counts every acquiring'],
      ['then 0 else 1 end', 'then 0 else 0 end', 'does not count its owners'],
      ['until = excluded.until,', '', 'is not prolonged'],
      ['set owner = excluded.owner, until', 'set until', 'does not change its owner'],
      ['Math.trunc(leaseMs)}, 1)', 'Math.trunc(leaseMs)}, 2)', 'counts from 2'],
      ['Math.trunc(leaseMs)}, 1)', 'Math.trunc(leaseMs / 1000) * 1000 + 1000}, 1)', 'lasts whole seconds'],
      ['update({ name, owner }, {', "update({ name, owner: { $ne: '' } }, {", 'is given back by anybody'],
      ["{ owner: '', until: 0 }", "{ owner: '' }", 'is not free when it is given back'],
      [
        "update({ name, owner }, { owner: '', until: 0 })",
        'delete({ name, owner })',
        'forgets its number when it is given back',
      ],
      ['nowSql(this.#database.kind, this.#clock)', 'nowSql(this.#database.kind, null)', 'goes by another clock'],
      ['[name, owner],\n', "['job', owner],\n", 'has one name for all'],
      ['until: 0 })) === 1', 'until: 0 })) >= 0', 'says that it was given back when it was not'],
    ]),
    ...texts('memory', memory, [
      ['held.until > now', 'held.until >= now', 'is held a moment too long'],
      [
        'const now = this.#clock.now();',
        'const now = this.#clock.now();\n    await Promise.resolve();\n    const wait = this.#leases.get(name);\n    await Promise.resolve();\n    if (wait === undefined) this.#leases.delete(name);',
        'looks first and takes then',
      ],
      ['held.fencing : held.fencing + 1', 'held.fencing : 1', 'restarts its number'],
      [
        "{ owner: '', until: 0, fencing: held.fencing }",
        "{ owner: '', until: held.until, fencing: held.fencing }",
        'is not free when it is given back',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'is not seen by a second process'],
      [{ op: 'argument', method: 'acquire', path: '1', value: 'a' }, 'has one owner for all'],
      [{ op: 'lost', method: 'release', answer: true }, 'is never given back'],
      [{ op: 'late', method: 'release', answer: true }, 'is given back after it has answered'],
      [{ op: 'stale', method: 'acquire' }, 'remembers what it answered first'],
      [{ op: 'always', method: 'acquire', answer: 1 }, 'is everybody’s'],
    ]),
    ...leasesOnPostgres,
  ],
};
