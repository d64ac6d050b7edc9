import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-authorization-codes.ts';
const sql = 'adapters/persistence/sql-authorization-codes.ts';

/** Ways in which a store of authorization codes can be broken. */
export const authorizationCodes: PortMutants = {
  port: 'authorization-codes',
  mutants: [
    ...texts('memory', file, [
      ['frozenCopy(code)', 'code', 'keeps the object that it was given'],
      ['if (!this.#codes.delete(code)) return false;', 'if (!this.#codes.has(code)) return false;', 'consumes nothing'],
      [
        'if (!this.#codes.delete(code)) return false;',
        'if (!this.#codes.has(code)) return false;\n    await Promise.resolve();\n    this.#codes.delete(code);',
        'looks first and consumes then',
      ],
      [
        'if (!this.#codes.delete(code)) return false;',
        'this.#codes.delete(code);',
        'says that every code was consumed',
      ],
      [
        'if (!this.#codes.delete(code)) return false;',
        'if (!this.#codes.has(code)) return false;\n    this.#codes.clear();',
        'consumes every code',
      ],
      ['into.size >= this.#max', 'into.size > this.#max', 'holds one too many'],
      ['into.size >= this.#max', 'into.size >= this.#max - 1', 'holds one too few'],
      ['into.size >= this.#max && oldest', 'oldest', 'holds one'],
      ['into.size >= this.#max', 'false', 'is not bounded'],
      ['const [oldest] = into.keys();', 'const oldest = [...into.keys()].at(-1);', 'drops the newest'],
      ['this.#put(this.#uses, code, frozenCopy(use));', '', 'forgets how a code was used'],
      ['this.#put(this.#uses, code', 'this.#put(this.#uses, code.toLowerCase()', 'keeps a use for another code'],
      [
        'async remove(code: string): Promise<void> {\n    this.#codes.delete(code);',
        'async remove(code: string): Promise<void> {\n    this.#codes.clear();',
        'removes every code',
      ],
      [
        'return this.#codes.get(code) ?? null',
        'const found = this.#codes.get(code);\n    return found === undefined || found.expiresAt < Date.now() - 1e12 ? null : found',
        'drops what expired',
      ],
      [
        'return this.#codes.get(code) ?? null',
        'const found = this.#codes.get(code) ?? null;\n    if (found !== null) this.#codes.delete(code);\n    if (found !== null) this.#codes.set(code, found);\n    return found',
        'counts a look as a use',
      ],
      [
        'return this.#codes.get(code) ?? null',
        'const found = this.#codes.get(code) ?? null;\n    this.#codes.delete(code);\n    return found',
        'consumes by looking',
      ],
    ]),
    ...texts('SQLite', sql, [
      ["codes.evict('seq desc', this.#max)", "codes.evict('seq desc', this.#max + 1)", 'holds one too many'],
      ["codes.evict('seq desc', this.#max)", "codes.evict('seq desc', this.#max - 1)", 'holds one too few'],
      ["codes.evict('seq desc', this.#max)", "codes.evict('seq', this.#max)", 'drops the newest'],
      ["await this.#codes.evict('seq desc', this.#max);", '', 'is not bounded'],
      [
        'nativeDelete(AuthorizationCodeRow, { code })) !== 1',
        'nativeDelete(AuthorizationCodeRow, {})) === 0',
        'consumes another with it',
      ],
      ['nativeDelete(AuthorizationCodeRow, { code })', 'count(AuthorizationCodeRow, { code })', 'consumes nothing'],
      [
        'if ((await em.nativeDelete(AuthorizationCodeRow, { code })) !== 1) return false;',
        'await em.nativeDelete(AuthorizationCodeRow, { code });',
        'says that every code was consumed',
      ],
      [
        "this.#uses.evict('seq desc', this.#max)",
        "this.#codes.evict('seq desc', this.#max)",
        'does not bound the uses',
      ],
      [
        'insert({ code, ...use }, em)',
        'insert({ code, ...use, grantId: use.exchange }, em)',
        'loses the grant of a use',
      ],
      ['insert({ code, ...use }, em)', 'insert({ code, ...use, usedAt: Date.now() }, em)', 'loses the time of a use'],
      ['this.#codes.delete({ code })', 'this.#codes.delete({ code: { $ne: code } })', 'removes the others'],
      ['this.#codes.find({ code })', 'this.#codes.find({ code: { $like: code } })', 'does not heed the case of a code'],
      ['this.#codes.find({ code })', 'this.#codes.find({ code: code.trim() })', 'trims codes'],
      [
        'this.#codes.find({ code })',
        'this.#codes.find({ code, expiresAt: { $gt: Date.UTC(2000, 0) } })',
        'drops what expired long ago',
      ],
      [
        'put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null })',
        'put({ ...code, scope: null, ask: code.ask ?? null })',
        'loses the scope',
      ],
      [
        'put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null })',
        "put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null, codeChallenge: code.codeChallenge ?? '' })",
        'has a challenge where there is none',
      ],
      ['(scope === null ? {} :', "(scope === null ? { scope: '' } :", 'has a scope where there is none'],
      ['ask: code.ask ?? null })', 'ask: null })', 'loses what the user is asked before'],
      [
        'put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null })',
        'put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null, userId: Math.min(code.userId, 2_147_483_647) })',
        'keeps small ids',
      ],
      [
        'put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null })',
        'put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null, expiresAt: Math.trunc(code.expiresAt / 1000) * 1000 })',
        'keeps seconds',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'is not seen by a second process'],
      [{ op: 'twice', method: 'consume' }, 'consumes twice'],
      [{ op: 'late', method: 'consume', answer: true }, 'consumes after it has answered'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'keep' }, 'loses every write'],
      [{ op: 'once', method: 'keep' }, 'loses every write but the first'],
      [{ op: 'late', method: 'keep' }, 'writes after it has answered'],
      [{ op: 'late', method: 'consume', answer: true }, 'consumes after it has answered'],
      [{ op: 'twice', method: 'consume' }, 'consumes twice'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'argument', method: 'keep', path: '0.codeChallenge', value: null }, 'loses the challenge'],
      [{ op: 'argument', method: 'keep', path: '0.codeChallenge', value: 'x' }, 'has a challenge where there is none'],
      [{ op: 'argument', method: 'keep', path: '0.userId', value: 1 }, 'keeps another user'],
      [{ op: 'argument', method: 'keep', path: '0.clientId', value: 'c' }, 'keeps another client'],
      [{ op: 'argument', method: 'keep', path: '0.redirectUri', value: '' }, 'loses the redirect URI'],
      [{ op: 'argument', method: 'keep', path: '0.expiresAt', value: 0 }, 'loses the expiry'],
      [{ op: 'answer', method: 'find', path: 'scope', value: undefined }, 'loses the scope'],
      [{ op: 'always', method: 'find', answer: null }, 'finds nothing'],
      [{ op: 'always', method: 'consume', answer: false }, 'says that nothing was consumed'],
    ]),
  ],
};
