import { connectionsOnPostgres } from '#test/mutants/lists/postgres/connections.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/mikro-orm-connections.ts';
const memory = 'test/doubles/memory-connections.ts';
const sealed = 'encrypted and cached over SQLite';

/** Ways in which a store of connections can be broken. */
export const connections: PortMutants = {
  port: 'connections',
  mutants: [
    ...texts('SQLite', sql, [
      ['#statuses.having(where)', '#statuses.list({})', 'has one status for all users'],
      ['#read({ userId, service })', '#read({ service })', 'has one connection for all users'],
      ['#read({ userId, service })', '#read({ userId })', 'has one connection for all services'],
      ['#read({ userId });', '#read({});', 'lists the connections of all users'],
      [
        'nativeUpdate(ConnectionRow, { userId, service, accessToken }',
        'nativeUpdate(ConnectionRow, { userId, service }',
        'replaces whatever is stored',
      ],
      [
        'if ((await em.nativeUpdate(ConnectionRow, { userId, service, accessToken }, after)) === 0) return false;',
        'await em.nativeUpdate(ConnectionRow, { userId, service, accessToken }, after);',
        'says that it replaced what was gone',
      ],
      ["{ userId, service, state: { $ne: 'connected' } }", '{ userId, service }', 'is connected since it was renewed'],
      [
        "await em.nativeUpdate(ConnectionStatusRow, { userId, service, state: { $ne: 'connected' } }, connected);",
        '',
        'is not connected when it was renewed',
      ],
      [
        "{ userId, service, state: { $ne: 'connected' } }",
        "{ service, state: { $ne: 'connected' } }",
        'renews the status of all users',
      ],
      [
        '      await em.nativeDelete(ConnectionStatusRow, { userId, service });\n',
        '',
        'leaves the status of what is removed',
        'A status without a connection is not shown, and the next connection comes with one of its own.',
      ],
      [
        'nativeDelete(ConnectionStatusRow, { userId, service })',
        'nativeDelete(ConnectionStatusRow, { service })',
        'removes the status of all users',
      ],
      [
        'nativeDelete(ConnectionRow, { userId, service })',
        'nativeDelete(ConnectionRow, { service })',
        'removes the connections of all users',
      ],
      [
        'nativeDelete(ConnectionRow, { userId, service })',
        'nativeDelete(ConnectionRow, { userId })',
        'removes all connections of a user',
      ],
      ['return removed > 0', 'return true', 'says that there was one to remove'],
      [
        'await this.#statuses.put(',
        "if (status.state !== 'connected') await this.#statuses.put(",
        'keeps the status of former credentials',
      ],
      ['probe_at <= ?', 'probe_at < ?', 'probes a moment too late'],
      ['probe_at <= ?', 'probe_at <= ? + 1000000000000', 'probes at once'],
      ['probe_at <= ?', 'since <= ?', 'probes what was never refused'],
      [
        'refreshToken: { $ne: null }, expiresAt: { $ne: null }',
        'expiresAt: { $ne: null }',
        'renews without a refresh token',
      ],
      [
        'refreshToken: { $ne: null }, expiresAt: { $ne: null }',
        'refreshToken: { $ne: null }',
        'renews what does not expire',
      ],
      [
        'from outbound_tokens where user_id = ? and service = ?',
        'from outbound_tokens where user_id = ? or service = ?',
        'changes the status of other connections',
      ],
      ['changed.length === 1;', 'changed.length >= 0;', 'says that the status of none was changed'],
      [
        'refused_probes = excluded.refused_probes, probe_at = excluded.probe_at',
        'refused_probes = excluded.refused_probes',
        'keeps when it is to be probed',
      ],
      ['since = excluded.since, reason', 'reason', 'keeps since when'],
      ['connections.put(record, em)', 'connections.put({ ...record, extra: {} }, em)', 'loses the metadata'],
      ['connections.put(record, em)', 'connections.put({ ...record, scope: null }, em)', 'loses the scope'],
      [
        'connections.put(record, em)',
        'connections.put({ ...record, expiresAt: record.expiresAt ?? 0 }, em)',
        'expires when it does not',
      ],
      ['probes: refusedProbes ?? 0, probeAt', 'probes: 0, probeAt', 'loses the number of probes'],
      [
        'update({ userId, service, accessToken }, values)',
        'update({ userId, service }, values)',
        'rewrites whatever is stored',
      ],
      [
        'return { state, since, reason, ...rejections }',
        'return { state, since, reason: null, ...rejections }',
        'loses the reason',
      ],
    ]),
    ...texts('SQLite', 'domain/connections/connection-status.ts', [
      ['kept.since < updatedAt', 'kept.since <= updatedAt', 'forgets a status of the same moment'],
      [
        "kept.state !== 'connected' && kept.since < updatedAt",
        'false',
        'holds former failures against new credentials',
      ],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ record, status })', '{ record, status }', 'keeps the object that it was given'],
      ['`${userId}/${service}`', 'service', 'has one connection for all users'],
      ['left.userId - right.userId ||', '', 'lists places by service'],
      [
        'const stored = this.#stored.get(keyOf(before));\n    if (stored?.record.accessToken !== before.accessToken) return false;\n    const status',
        'const stored = this.#stored.get(keyOf(before));\n    await Promise.resolve();\n    if (stored?.record.accessToken !== before.accessToken) return false;\n    const status',
        'looks first and replaces then',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'late', method: 'save' }, 'saves after it has answered'],
      [{ op: 'late', method: 'changeStatus', answer: true }, 'changes the status after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'stale', method: 'overview' }, 'remembers its first overview'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'shared', method: 'list' }, 'hands out one list again and again'],
      [{ op: 'short', method: 'places' }, 'leaves the last place out'],
      [{ op: 'reversed', method: 'places' }, 'lists places the other way round'],
      [{ op: 'argument', method: 'save', path: '0.updatedAt', value: 0 }, 'loses when credentials were stored'],
      [{ op: 'argument', method: 'save', path: '0.authMethod', value: 'oauth' }, 'has one method for all'],
    ]),
    ...texts(sealed, 'adapters/stores/cached-stores.ts', [
      [
        'known.forget(connectionKey(userId, service));\n      overviews',
        'overviews',
        'remembers a connection that has changed',
      ],
      ['service));\n      overviews.forget(userId);', 'service));', 'remembers an overview that has changed'],
      ['services: new Set(services), isInTeamVault', 'services, isInTeamVault', 'hands out one set again and again'],
      [
        'frozen({ connection: await inner.find(userId, service) })',
        'structuredClone({ connection: await inner.find(userId, service) })',
        'hands out one object again and again',
      ],
      ['return `${userId}/${service}`', 'return service', 'has one connection for all users'],
      ['return `${userId}/${service}`', 'return String(userId)', 'has one connection for all services'],
    ]),
    ...texts(sealed, 'adapters/stores/sealed-stores.ts', [
      ['store.save(sealed(record), status)', 'store.save(record, status)', 'does not encrypt what is saved'],
      [
        'store.replace(stored.record, sealed(after))',
        'store.replace(stored.record, after)',
        'does not encrypt what is renewed',
      ],
      [
        "[access, { member: 'refreshToken', text: refreshToken, context: contextOf('refresh_token', record) }]",
        '[access]',
        'does not encrypt refresh tokens',
      ],
      [
        'if (refreshToken === null) return [access];\n  return [access,',
        'if (refreshToken === null) return [];\n  return [',
        'does not encrypt access tokens',
      ],
      [
        'if (opened(stored).record.accessToken !== before.accessToken) return false;',
        '',
        'replaces whatever is stored',
      ],
      ['return { record: readable, status }', 'return { record, status }', 'does not decrypt'],
    ]),
    ...connectionsOnPostgres,
  ],
};
