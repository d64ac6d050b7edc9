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
      [
        "merge([...columns, 'usedAt'])",
        "merge(['name', 'redirectUris', 'createdAt', 'usedAt'])",
        'keeps the first secret of one id',
      ],
      [
        "merge([...columns, 'usedAt'])",
        "merge(['secret', 'redirectUris', 'createdAt', 'usedAt'])",
        'keeps the first name of one id',
      ],
      [
        "merge([...columns, 'usedAt'])",
        "merge(['secret', 'name', 'createdAt', 'usedAt'])",
        'keeps the first addresses of one id',
      ],
      ["merge([...columns, 'usedAt'])", 'merge([...columns])', 'does not count what is kept again as used'],
      ['update({ usedAt: raw(this.#use()) })', "update({ usedAt: raw('used_at') })", 'does not count a look as a use'],
      ['.where({ id })', '.where({ id: { $like: id } })', 'finds what is alike'],
      ['.where({ id })', '.where({ id: id.trim() })', 'trims ids'],
      ['then ${last} + 1 else', 'then ${last} else', 'has one time for many uses'],
      ['{ signedInAt: raw(this.#now()) }', '{ signedInAt: null }', 'forgets a sign-in'],
      ['update({ id }, { signedInAt', 'update({}, { signedInAt', 'notes a sign-in with all'],
      ['getCount()) - this.#max', 'getCount()) - this.#max - 1', 'holds one too many'],
      ['.limit(excess)', '.limit(excess + this.#max)', 'drops all'],
      ['.where({ id: { $ne: kept } })', '.where({})', 'drops the new client'],
      ["{ usedAt: 'asc' }", "{ usedAt: 'desc' }", 'drops the newest'],
      ['then 0 else 1 end', 'then 1 else 0 end', 'drops those that users signed in with'],
      ['then 0 else 1 end', 'then 0 else 0 end', 'drops them as others'],
      ['await this.#makeRoom(id);', '', 'is not bounded'],
      [
        'redirectUris, createdAt, usedAt',
        'redirectUris, createdAt: Math.trunc(createdAt / 60) * 60, usedAt',
        'keeps minutes',
      ],
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
