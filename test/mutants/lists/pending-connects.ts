import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-pending-connects.ts';
const sql = 'adapters/persistence/sql-pending-connects.ts';

/** Ways in which a store of pending connects can be broken. */
export const pendingConnects: PortMutants = {
  port: 'pending-connects',
  mutants: [
    ...texts('memory', file, [
      ['frozenCopy(connect)', 'connect', 'keeps the object that it was given'],
      ['this.#connects.delete(state);', '', 'gives a connect as often as asked'],
      [
        'this.#connects.delete(state);',
        'await Promise.resolve();\n    this.#connects.delete(state);',
        'looks first and removes then',
      ],
      ['this.#connects.delete(state);', 'this.#connects.clear();', 'removes every connect'],
      ['new LRUCache(entriesUpTo(max))', 'new LRUCache(entriesUpTo(max + 1))', 'holds one too many'],
      ['new LRUCache(entriesUpTo(max))', 'new LRUCache(entriesUpTo(max - 1))', 'holds one too few'],
      ['new LRUCache(entriesUpTo(max))', 'new LRUCache(entriesUpTo(1_000_000))', 'is not bounded'],
      ['this.#connects.get(state) ?? null', 'this.#connects.get(state.trim()) ?? null', 'trims states'],
      [
        'this.#connects.get(state) ?? null',
        'this.#connects.get(state) ?? this.#connects.values().next().value ?? null',
        'gives any connect',
      ],
      [
        'this.#connects.set(state,',
        'if (!this.#connects.has(state)) this.#connects.set(state,',
        'keeps the first of one state',
      ],
      ['this.#connects.set(state,', 'this.#connects.set(connect.browser,', 'keeps by the browser'],
      ['this.#connects.set(state,', 'this.#connects.set(state.toLowerCase(),', 'does not heed the case of a state'],
    ]),
    ...texts('SQLite', sql, [
      ["evict('seq desc', this.#max)", "evict('seq desc', this.#max + 1)", 'holds one too many'],
      ["evict('seq desc', this.#max)", "evict('seq desc', this.#max - 1)", 'holds one too few'],
      ["evict('seq desc', this.#max)", "evict('seq', this.#max)", 'drops the newest'],
      ["await this.#connects.evict('seq desc', this.#max);", '', 'is not bounded'],
      ['this.#connects.put({', 'this.#connects.add({', 'keeps the first of one state'],
      ['put({ state, ...connect })', 'put({ state, ...connect, extra: {} })', 'loses the metadata'],
      [
        'put({ state, ...connect })',
        "put({ state, ...connect, codeVerifier: connect.codeVerifier ?? '' })",
        'has a verifier where there is none',
      ],
      [
        'put({ state, ...connect })',
        'put({ state, ...connect, startedAt: Math.trunc(connect.startedAt / 1000) * 1000 })',
        'keeps seconds',
      ],
    ]),
    ...texts('SQLite', 'infrastructure/database/table.ts', [
      ['where ${keys.join()} = ? returning', 'where ${keys.join()} like ? returning', 'takes what is alike'],
      ['where ${keys.join()} = ? returning', 'where ${keys.join()} = trim(?) returning', 'trims states'],
      [
        'where ${keys.join()} = ? returning',
        'where lower(${keys.join()}) = lower(?) returning',
        'does not heed the case of a state',
      ],
      [
        '`delete from ${table} where ${keys.join()} = ? returning *`',
        '`select * from ${table} where ${keys.join()} = ?`',
        'gives a connect as often as asked',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'is not seen by a second process'],
      [{ op: 'twice', method: 'take' }, 'takes twice'],
      [{ op: 'lost', method: 'keep' }, 'loses every connect'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'keep' }, 'loses every connect'],
      [{ op: 'once', method: 'keep' }, 'loses every connect but the first'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'stale', method: 'take' }, 'remembers what it gave first'],
      [{ op: 'twice', method: 'take' }, 'takes twice'],
      [{ op: 'always', method: 'take', answer: null }, 'gives nothing'],
      [{ op: 'argument', method: 'keep', path: '1.userId', value: 1 }, 'keeps another user'],
      [{ op: 'argument', method: 'keep', path: '1.service', value: 'vault' }, 'keeps another service'],
      [{ op: 'argument', method: 'keep', path: '1.browser', value: '' }, 'loses the browser'],
      [{ op: 'argument', method: 'keep', path: '1.codeVerifier', value: null }, 'loses the verifier'],
      [{ op: 'argument', method: 'keep', path: '1.extra', value: {} }, 'loses the metadata'],
      [
        { op: 'argument', method: 'keep', path: '1.extra.none', value: undefined },
        'loses what is null in the metadata',
      ],
      [{ op: 'argument', method: 'keep', path: '1.startedAt', value: 0 }, 'loses the time'],
    ]),
  ],
};
