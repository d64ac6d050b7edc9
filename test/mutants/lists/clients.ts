import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-clients.ts';
const sql = 'adapters/persistence/sql-clients.ts';
const notFound = { ok: false, failure: { reason: 'not_found' } };

/** Ways in which a store of clients can be broken. */
export const clients: PortMutants = {
  port: 'clients',
  mutants: [
    ...texts('memory', file, [
      ['frozenCopy(client)', 'client', 'keeps the object that it was given'],
      ['return ok(client);', 'return ok({ ...client, redirectUris: [] });', 'loses the redirect URIs'],
      ['<= this.#max', '<= this.#max + 1', 'holds one too many'],
      ['<= this.#max', '< this.#max', 'holds one too few'],
      ['<= this.#max', '<= 1_000_000', 'is not bounded'],
      ['moveToEnd(this.#mapOf(id), id, client);', '', 'does not count a look as a use'],
      ['this.#mapOf(id).get(id);', 'this.#mapOf(id).get(id.trim());', 'trims ids'],
      ['.filter((id) => id !== client.id)', '', 'drops the new client'],
      [
        '...firstKeys(this.#strangers), ...firstKeys(this.#signedIn)',
        '...firstKeys(this.#signedIn), ...firstKeys(this.#strangers)',
        'drops those that users signed in with',
      ],
      ['this.#signedIn.has(id) ?', 'false ?', 'loses a client when a user signs in with it'],
      [
        'if (client === undefined) return;',
        'if (client === undefined) return this.#signedIn.clear();',
        'forgets all for a sign-in with another',
      ],
      ['  clients.delete(id);\n  clients.set', '  clients.set', 'does not count what is kept again as used'],
    ]),
    ...texts('SQLite', sql, [
      ['secret = excluded.secret, ', '', 'keeps the first secret of one id'],
      ['name = excluded.name,', '', 'keeps the first name of one id'],
      ['redirect_uris = excluded.redirect_uris, ', '', 'keeps the first addresses of one id'],
      [', used_at = excluded.used_at`', '`', 'does not count what is kept again as used'],
      [
        'set used_at = ${this.#use()} where id = ?',
        'set used_at = used_at where id = ?',
        'does not count a look as a use',
      ],
      [
        'set used_at = ${this.#use()} where id = ?',
        'set used_at = ${this.#use()} where id like ?',
        'finds what is alike',
      ],
      ['set used_at = ${this.#use()} where id = ?', 'set used_at = ${this.#use()} where id = trim(?)', 'trims ids'],
      ['then ${last} + 1 else', 'then ${last} else', 'has one time for many uses'],
      ['signed_in_at = ${now} where id = ?', 'signed_in_at = null where id = ?', 'forgets a sign-in'],
      [
        'signed_in_at = ${now} where id = ?',
        'signed_in_at = ${now} where id = id or id = ?',
        'notes a sign-in with all',
      ],
      ['<= this.#max) return', '<= this.#max + 1) return', 'holds one too many'],
      ['<= this.#max) return', '< this.#max) return', 'asks for room that there is', 'It removes none then.'],
      ['limit ${clients - this.#max})', 'limit ${clients})', 'drops all'],
      ['where id <> ?\n', 'where id <> ? or true\n', 'drops the new client'],
      ['then 0 else 1 end, used_at', 'then 0 else 1 end, used_at desc', 'drops the newest'],
      ['then 0 else 1 end, used_at', 'then 1 else 0 end, used_at', 'drops those that users signed in with'],
      ['then 0 else 1 end, used_at', 'then 0 else 0 end, used_at', 'drops them as others'],
      ['await this.#makeRoom(id);', '', 'is not bounded'],
      ['createdAt: row.created_at', 'createdAt: Math.trunc(row.created_at / 60) * 60', 'keeps minutes'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'keep' }, 'loses every write'],
      [{ op: 'once', method: 'keep' }, 'loses every write but the first'],
      [{ op: 'late', method: 'keep' }, 'writes after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'argument', method: 'keep', path: '0.secret', value: 'x' }, 'keeps another secret'],
      [{ op: 'argument', method: 'keep', path: '0.name', value: 'MCP Client' }, 'keeps the default name'],
      [{ op: 'argument', method: 'keep', path: '0.createdAt', value: 0 }, 'loses the time of creation'],
      [{ op: 'argument', method: 'keep', path: '0.redirectUris', value: [] }, 'keeps no redirect URIs'],
      [{ op: 'argument', method: 'find', path: '0', value: 'client_Ada-1' }, 'finds the same client for every id'],
      [{ op: 'always', method: 'find', answer: notFound }, 'finds nothing'],
      [{ op: 'answer', method: 'find', path: 'failure', value: { reason: 'unknown' } }, 'has another reason'],
      [{ op: 'lost', method: 'noteSignIn' }, 'notes no sign-in'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'is not seen by a second process'],
      [{ op: 'late', method: 'noteSignIn' }, 'notes a sign-in after it has answered'],
      [{ op: 'lost', method: 'keep' }, 'loses every write'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
    ]),
  ],
};
