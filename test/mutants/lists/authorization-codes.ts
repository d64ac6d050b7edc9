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
      ['offset ${this.#max}', 'offset ${this.#max + 1}', 'holds one too many'],
      ['offset ${this.#max}', 'offset ${this.#max - 1}', 'holds one too few'],
      ['order by seq desc limit 100', 'order by seq limit 100', 'drops the newest'],
      ['offset ${this.#max}', 'offset 1000000', 'is not bounded'],
      [
        'delete from authorization_codes where code = ? returning seq',
        'delete from authorization_codes where code = ? or seq > 0 returning seq',
        'consumes another with it',
      ],
      [
        'delete from authorization_codes where code = ? returning seq',
        'select seq from authorization_codes where code = ?',
        'consumes nothing',
      ],
      ['if (rows.length !== 1) return false;', '', 'says that every code was consumed'],
      ["this.#bound('code_uses')", "this.#bound('authorization_codes')", 'does not bound the uses'],
      ['grantId: row.grant_id', 'grantId: row.exchange', 'loses the grant of a use'],
      ['usedAt: row.used_at', 'usedAt: Date.now()', 'loses the time of a use'],
      [
        'select * from code_uses where code = ?',
        'select * from code_uses where code like ?',
        'finds the use of a like code',
      ],
      [
        "'delete from authorization_codes where code = ?', [code]",
        "'delete from authorization_codes where code <> ?', [code]",
        'removes the others',
      ],
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
