import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-authorization-codes.ts';
const sql = 'adapters/persistence/sql-authorization-codes.ts';

/** Ways in which a store of authorization codes can be broken. */
export const authorizationCodes: PortMutants = {
  port: 'authorization-codes',
  mutants: [
    ...texts('memory', file, [
      ['frozenCopy(code)', 'code', 'keeps the object that it was given'],
      ['return this.#codes.delete(code)', 'return this.#codes.has(code)', 'consumes nothing'],
      [
        'return this.#codes.delete(code)',
        'const is = this.#codes.has(code);\n    await Promise.resolve();\n    this.#codes.delete(code);\n    return is',
        'looks first and consumes then',
      ],
      [
        'return this.#codes.delete(code)',
        'this.#codes.delete(code);\n    return true',
        'says that every code was consumed',
      ],
      [
        'return this.#codes.delete(code)',
        'const is = this.#codes.has(code);\n    this.#codes.clear();\n    return is',
        'consumes every code',
      ],
      ['this.#codes.size >= this.#max', 'this.#codes.size > this.#max', 'holds one too many'],
      ['this.#codes.size >= this.#max', 'this.#codes.size >= this.#max - 1', 'holds one too few'],
      ['this.#codes.size >= this.#max && oldest', 'oldest', 'holds one'],
      ['this.#codes.size >= this.#max', 'false', 'is not bounded'],
      ['const [oldest] = this.#codes.keys();', 'const oldest = [...this.#codes.keys()].at(-1);', 'drops the newest'],
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
      ['offset ${this.#max}', 'offset ${this.#max + 1}', 'holds one too many'],
      ['offset ${this.#max}', 'offset ${this.#max - 1}', 'holds one too few'],
      ['order by seq desc limit 100', 'order by seq limit 100', 'drops the newest'],
      ['offset ${this.#max}', 'offset 1000000', 'is not bounded'],
      [
        'delete from authorization_codes where code = ?',
        'delete from authorization_codes where code = ? or seq > 0',
        'consumes another with it',
      ],
      [
        'delete from authorization_codes where code = ? returning seq',
        'select seq from authorization_codes where code = ?',
        'consumes nothing',
      ],
      ['return rows.length === 1;', 'return true;', 'says that every code was consumed'],
      ['where code = ?`, [code]', 'where lower(code) = lower(?)`, [code]', 'does not heed the case of a code'],
      ['where code = ?`, [code]', 'where code = trim(?)`, [code]', 'trims codes'],
      ['where code = ?`, [code]', 'where code like ?`, [code]', 'finds what is alike'],
      [
        'where code = ?`, [code]',
        'where code = ? and expires_at > ${Date.UTC(2000, 0)}`, [code]',
        'drops what expired long ago',
      ],
      ['scope ?? null]', 'null]', 'loses the scope'],
      [
        'codeChallenge, expiresAt, scope ??',
        "codeChallenge ?? '', expiresAt, scope ??",
        'has a challenge where there is none',
      ],
      [
        'row.scope === null ? found :',
        "row.scope === null ? { ...found, scope: '' } :",
        'has a scope where there is none',
      ],
      [
        'userId, redirectUri, codeChallenge, expiresAt, scope ??',
        'Math.min(userId, 2_147_483_647), redirectUri, codeChallenge, expiresAt, scope ??',
        'keeps small ids',
      ],
      ['expiresAt, scope ??', 'Math.trunc(expiresAt / 1000) * 1000, scope ??', 'keeps seconds'],
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
