import { usersOnPostgres } from '#test/mutants/lists/postgres/users.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/mikro-orm-users.ts';
const cached = 'adapters/stores/cached-stores.ts';
const memory = 'test/doubles/memory-users.ts';
const taken = { ok: false, failure: { reason: 'email_taken' } };

/** Ways in which a store of users can be broken. */
export const users: PortMutants = {
  port: 'users',
  mutants: [
    ...texts('SQLite', sql, [
      ['emailKey: emailKeyOf(email),', 'emailKey: email,', 'compares e-mails as they are written'],
      ['{ emailKey: emailKeyOf(email) }', '{ emailKey: email }', 'looks for an e-mail as it is written'],
      ['{ emailKey: emailKeyOf(email) }', '{ email }', 'looks for the written e-mail'],
      ['email: email.trim(),', 'email,', 'keeps the blanks around an e-mail'],
      ['email: email.trim(),', 'email: emailKeyOf(email),', 'shows the key in place of the e-mail'],
      ["list({}, { id: 'asc' })", "list({}, { id: 'desc' })", 'lists the other way round'],
      ["list({}, { id: 'asc' })", "list({}, { emailKey: 'asc' })", 'lists by e-mail'],
      ["orderBy({ id: 'asc' })", "orderBy({ id: 'desc' })", 'pages the other way round'],
      ['$gt: after', '$gte: after', 'lists a user on two pages'],
      ['where(conditionsOf(filter))', 'where({})', 'finds everybody'],
      ["'search_key', emailKeyOf(search)", "'search_key', search", 'searches as it is written'],
      [".replaceAll(/[\\\\%_]/g, '\\\\$&')", '', 'takes a search for a pattern'],
      ['JSON.stringify(permission)', 'permission', 'finds a part of a permission'],
      ['...given(change), ...searchKey', '...given(change)', 'searches for former names'],
      ['{ deactivatedAt: null, invitedAt: null }', '{ deactivatedAt: null }', 'takes the invited for active'],
      ['delete({ id })', 'delete({})', 'removes everybody'],
      ['update({ id }, { seenAt })', 'update({}, { seenAt })', 'has seen everybody'],
      ['{ ...user, name, email:', '{ ...user, name, permissions: [], email:', 'loses the permissions of a new user'],
      ['{ ...user, name, email:', '{ ...user, name, isAdmin: false, email:', 'makes no administrators'],
      ['given(change)', 'given({ ...change, passwordHash: undefined })', 'does not change the password'],
      ['given(change)', 'given({ ...change, permissions: undefined })', 'does not change the permissions'],
      [
        'given(change)',
        'given({ ...change, deactivatedAt: change.deactivatedAt ?? undefined })',
        'activates nobody again',
      ],
      ['given(change)', 'given({ ...change, timeZone: undefined })', 'keeps no time zone'],
      [
        'given(change)',
        'given({ ...change, switchedOff: change.switchedOff?.length ? change.switchedOff : undefined })',
        'switches nothing on again',
      ],
      ['given(change)', 'given({ ...change, isAdmin: change.isAdmin || undefined })', 'takes no rights away'],
      ['given(change)', 'given({ ...change, signedOutBefore: undefined })', 'does not end sessions'],
      ['update({ id }, values)', 'update({}, values)', 'changes every user'],
      [
        '(await this.#users.update({ id }, values)) === 1',
        'void this.#users.update({ id }, values) === undefined',
        'does not wait for a change',
      ],
      [
        "err({ reason: 'email_taken' }) : ok(toUser(added))",
        'ok({ ...user, id: 1, email }) : ok(toUser(added))',
        'says that a taken e-mail was added',
      ],
      [".onConflict(['emailKey']).ignore()", '', 'throws where an e-mail is taken'],
      ['passwordHash: row.passwordHash', "passwordHash: ''", 'loses the password hash'],
      ['getCount()) === 1', 'getCount()) >= 0', 'says that nobody was changed well'],
      [
        'isAdmin, signedOutBefore } = row',
        'isAdmin } = row, signedOutBefore = null',
        'forgets that sessions were ended',
      ],
      ['    isAdmin,\n', '    isAdmin: false,\n', 'reads no administrators'],
    ]),
    ...texts('SQLite', 'domain/users/email.ts', [
      ['inNfc(email.trim())', 'email.trim()', 'distinguishes compositions of a letter'],
      ['inNfc(email.trim())', 'inNfc(email)', 'distinguishes blanks around an e-mail'],
      ['.toLowerCase()', '', 'distinguishes the case of an e-mail'],
    ]),
    ...texts('cached over memory', cached, [
      ['known.forget(id);\n      onChange(id);', 'onChange(id);', 'does not forget who was changed'],
      ['frozen(await users.find(id))', 'structuredClone(await users.find(id))', 'hands out one object again and again'],
    ]),
    ...texts('memory', memory, [
      ['this.#lastId += 1;', 'this.#lastId = this.#users.size + 1;', 'gives an id again'],
      [
        'this.#users.set(id, frozenCopy({ ...changed, user: withOptional(changed.user, optional) }));',
        'this.#users.set(id, { ...changed, user: withOptional(changed.user, optional) });',
        'keeps the object that it was given',
      ],
      [
        'if (known === undefined) return false;',
        'if (known === undefined) return true;',
        'says that a stranger was changed',
      ],
      [
        'const known = this.#users.get(id);',
        'const known = this.#users.get(id);\n    await Promise.resolve();',
        'reads first and changes then',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'change', answer: true }, 'loses every change'],
      [{ op: 'late', method: 'change', answer: true }, 'changes after it has answered'],
      [{ op: 'always', method: 'add', answer: taken }, 'says that every e-mail is taken'],
      [{ op: 'answer', method: 'add', path: 'value.id', value: 1 }, 'answers the id of another'],
      [{ op: 'stale', method: 'find' }, 'remembers whom it found first'],
      [{ op: 'stale', method: 'findByEmail' }, 'remembers whom it found first by e-mail'],
      [{ op: 'shared', method: 'findByEmail' }, 'hands out one object by e-mail again and again'],
      [{ op: 'shared', method: 'list' }, 'hands out one list again and again'],
      [{ op: 'short', method: 'list' }, 'leaves the last out of its list'],
      [{ op: 'argument', method: 'find', path: '0', value: 1 }, 'finds the first user for every id'],
    ]),
    ...usersOnPostgres,
  ],
};
