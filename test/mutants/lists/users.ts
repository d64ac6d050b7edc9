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
      ["orderBy: { id: 'asc' }", "orderBy: { id: 'desc' }", 'lists the other way round'],
      ["orderBy: { id: 'asc' }", "orderBy: { emailKey: 'asc' }", 'lists by e-mail'],
      [
        'permissions: JSON.stringify(permissions),\n      isAdmin,',
        "permissions: '[]',\n      isAdmin,",
        'loses the permissions of a new user',
      ],
      [
        '      isAdmin,\n      signedOutBefore: null,',
        '      isAdmin: false,\n      signedOutBefore: null,',
        'makes no administrators',
      ],
      ['...(passwordHash === undefined ? {} : { passwordHash }),', '', 'does not change the password'],
      [
        '...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),',
        '',
        'does not change the permissions',
      ],
      [
        '...(deactivatedAt === undefined ? {} : { deactivatedAt }),',
        '...(deactivatedAt === undefined || deactivatedAt === null ? {} : { deactivatedAt }),',
        'activates nobody again',
      ],
      ['...(timeZone === undefined ? {} : { timeZone }),', '', 'keeps no time zone'],
      [
        '...(switchedOff === undefined ? {} : { switchedOff: JSON.stringify(switchedOff) }),',
        '...(switchedOff === undefined || switchedOff.length === 0 ? {} : { switchedOff: JSON.stringify(switchedOff) }),',
        'switches nothing on again',
      ],
      [
        '...(isAdmin === undefined ? {} : { isAdmin }),',
        '...(isAdmin !== true ? {} : { isAdmin }),',
        'takes no rights away',
      ],
      ['...(signedOutBefore === undefined ? {} : { signedOutBefore }),', '', 'does not end sessions'],
      [
        '{ signedOutBefore }),',
        '{ signedOutBefore: Math.trunc(signedOutBefore / 1000) * 1000 }),',
        'keeps whole seconds',
      ],
      ['nativeUpdate(UserRow, { id }, values)', 'nativeUpdate(UserRow, {}, values)', 'changes every user'],
      [
        '(await em.nativeUpdate(UserRow, { id }, values)) === 1',
        'void em.nativeUpdate(UserRow, { id }, values) === undefined',
        'does not wait for a change',
      ],
      ["return err({ reason: 'email_taken' });", 'return ok(toUser(row));', 'says that a taken e-mail was added'],
      [
        'if (error instanceof UniqueConstraintViolationException) return',
        'if (false) return',
        'throws where an e-mail is taken',
      ],
      ['passwordHash: row.passwordHash', "passwordHash: ''", 'loses the password hash'],
      ['(await em.count(UserRow, { id })) === 1', 'true', 'says that nobody was changed well'],
    ]),
    ...texts('SQLite', 'adapters/persistence/user-row.ts', [
      ['signedOutBefore: signedOutBefore ?? null', 'signedOutBefore: null', 'forgets that sessions were ended'],
      ['    isAdmin,\n', '    isAdmin: false,\n', 'reads no administrators'],
    ]),
    ...texts('SQLite', 'domain/users/email.ts', [
      [".normalize('NFC')", '', 'tells compositions of a letter apart'],
      ['.trim().normalize', '.normalize', 'tells blanks around an e-mail apart'],
      ['.toLowerCase()', '', 'tells the cases of an e-mail apart'],
    ]),
    ...texts('cached over memory', cached, [
      ['known.forget(id);\n      onChange(id);', 'onChange(id);', 'does not forget who was changed'],
      ['frozen(await users.find(id))', 'structuredClone(await users.find(id))', 'hands out one object again and again'],
    ]),
    ...texts('memory', memory, [
      ['this.#users.size + 1', 'this.#users.size', 'counts from 0'],
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
