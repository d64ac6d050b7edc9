import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-pending-sign-ins.ts';
const sql = 'adapters/persistence/sql-pending-sign-ins.ts';

/** Ways in which a store of pending sign-ins can be broken. */
export const pendingSignIns: PortMutants = {
  port: 'pending-sign-ins',
  mutants: [
    ...texts('memory', file, [
      ['frozenCopy(signIn)', 'signIn', 'keeps the object that it was given'],
      ['this.#signIns.delete(state);', '', 'gives a sign-in as often as asked'],
      [
        'this.#signIns.delete(state);',
        'await Promise.resolve();\n    this.#signIns.delete(state);',
        'looks first and removes then',
      ],
      ['this.#signIns.delete(state);', 'this.#signIns.clear();', 'removes every sign-in'],
      ['new LRUCache(entriesUpTo(max))', 'new LRUCache(entriesUpTo(max + 1))', 'holds one too many'],
      ['new LRUCache(entriesUpTo(max))', 'new LRUCache(entriesUpTo(max - 1))', 'holds one too few'],
      ['new LRUCache(entriesUpTo(max))', 'new LRUCache(entriesUpTo(1_000_000))', 'is not bounded'],
      ['this.#signIns.get(state) ?? null', 'this.#signIns.get(state.trim()) ?? null', 'trims states'],
      [
        'this.#signIns.get(state) ?? null',
        'this.#signIns.get(state) ?? this.#signIns.values().next().value ?? null',
        'gives any sign-in',
      ],
      [
        'this.#signIns.set(state,',
        'if (!this.#signIns.has(state)) this.#signIns.set(state,',
        'keeps the first of one state',
      ],
      ['this.#signIns.set(state,', 'this.#signIns.set(signIn.browser,', 'keeps by the browser'],
      ['this.#signIns.set(state,', 'this.#signIns.set(state.toLowerCase(),', 'does not heed the case of a state'],
    ]),
    ...texts('SQLite', sql, [
      ["evict('seq desc', this.#max)", "evict('seq desc', this.#max + 1)", 'holds one too many'],
      ["evict('seq desc', this.#max)", "evict('seq desc', this.#max - 1)", 'holds one too few'],
      ["evict('seq desc', this.#max)", "evict('seq', this.#max)", 'drops the newest'],
      ["await this.#signIns.evict('seq desc', this.#max);", '', 'is not bounded'],
      ['this.#signIns.put({', 'this.#signIns.add({', 'keeps the first of one state'],
      ['put({ state, ...signIn })', 'put({ state, ...signIn, authorize: null })', 'loses the request'],
      [
        'put({ state, ...signIn })',
        "put({ state, ...signIn, authorize: signIn.authorize ?? '' })",
        'has a request where there is none',
      ],
      ['put({ state, ...signIn })', 'put({ state, ...signIn, sessionId: null })', 'loses the session'],
      [
        'put({ state, ...signIn })',
        'put({ state, ...signIn, startedAt: Math.trunc(connect.startedAt / 1000) * 1000 })',
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
        'gives a sign-in as often as asked',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'is not seen by a second process'],
      [{ op: 'twice', method: 'take' }, 'takes twice'],
      [{ op: 'lost', method: 'keep' }, 'loses every sign-in'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'keep' }, 'loses every sign-in'],
      [{ op: 'once', method: 'keep' }, 'loses every sign-in but the first'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'stale', method: 'take' }, 'remembers what it gave first'],
      [{ op: 'twice', method: 'take' }, 'takes twice'],
      [{ op: 'always', method: 'take', answer: null }, 'gives nothing'],
      [{ op: 'argument', method: 'keep', path: '1.userId', value: 1 }, 'keeps another user'],
      [{ op: 'argument', method: 'keep', path: '1.sessionId', value: null }, 'loses the session'],
      [{ op: 'argument', method: 'keep', path: '1.browser', value: '' }, 'loses the browser'],
      [{ op: 'argument', method: 'keep', path: '1.codeVerifier', value: '' }, 'loses the verifier'],
      [{ op: 'argument', method: 'keep', path: '1.nonce', value: '' }, 'loses the nonce'],
      [{ op: 'argument', method: 'keep', path: '1.authorize', value: null }, 'loses the request'],
      [{ op: 'argument', method: 'keep', path: '1.startedAt', value: 0 }, 'loses the time'],
    ]),
  ],
};
