import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of connections, their renewal, and what is entered for providers (CONN, RENEW, PSET). */
export const connectionFaults: readonly PlantedFault[] = [
  ...inFile('application/connections/access-tokens.ts', [
    ['RENEW-002', 'if (running !== undefined) return running;', ''],
    ['RENEW-004', "if (reason === 'refused') return this.#requireReconnect(refused, message);", ''],
    [
      'RENEW-005',
      "await changeStatus(this.#dependencies, refused, { state: 'degraded', reason: message });",
      "await changeStatus(this.#dependencies, refused, { state: 'reconnect', reason: message });",
    ],
    ['RENEW-008', 'if (!hasExpired(record, clock.now())) return ok(record);', ''],
    ['CONN-024', 'if (inactive !== null && !isTeams(record)) return err(inactive);', ''],
    ['CONN-015', 'if (isHeld(status) && !isProbeDue) return this.#unauthorized(record, status);', ''],
  ]),
  ...inFile('application/connections/renew-due-tokens.ts', [
    ['RENEW-009', 'if (user === null || !isActive(user)) return false;\n      return (await', 'return (await'],
  ]),
  ...inFile('adapters/services/credentials/provider-grants.ts', [
    ['RENEW-006', 'refreshToken: tokens.refreshToken ?? base.refreshToken,', 'refreshToken: tokens.refreshToken,'],
    [
      'CONN-012',
      'facts.needsRefreshToken && granted.value.refreshToken === null',
      'facts.needsRefreshToken && granted.value.accessToken === null',
    ],
    ['CONN-027', 'return equal(app.clientSecret, clientSecret) && isId;', 'return isId;'],
  ]),
  ...inFile('application/connections/save-credentials.ts', [
    [
      'CONN-003',
      "if (!tried.ok && tried.reason !== 'unavailable' && tried.reason !== 'rate_limited') {",
      "if (!tried.ok && tried.reason === 'not_connected') {",
    ],
    [
      'CONN-014',
      'const checked = methods.checkExtra(service, extra);\n    return checked.ok ? checked :',
      'const checked = methods.checkExtra(service, extra);\n    return checked.ok || extra !== null ? ok(extra) :',
    ],
  ]),
  ...inFile('application/connections/disconnect-service.ts', [
    ['CONN-006', 'if (!(await connections.remove(userId, service))) return null;', ''],
    [
      'USER-034',
      'const revoked = grants.revoke(stored.record).catch(failed);',
      'const revoked = Promise.resolve(false);',
    ],
  ]),
  ...inFile('adapters/http/connections/connection-routes.ts', [
    ['CONN-007', '    scope,\n    state,\n    expires_at: expiresAt,', '    state,\n    expires_at: expiresAt,'],
    ['CONN-002', 'ctx.body = saved.value;', 'ctx.body = { ...saved.value, service: undefined };'],
    ['CONN-018', 'ctx.body = tested.value;', 'ctx.body = { ...tested.value, checked: undefined };'],
    ['CONN-019', 'not_configured: 409,', 'not_configured: 500,'],
  ]),
  ...inFile('application/connections/connect-service.ts', [
    ['CONN-026', 'if (unknown.length > 0) return err(', 'if (unknown.length > maxUnknown) return err('],
  ]),
  ...inFile('domain/connections/rejections.ts', [
    ['CONN-009', '[minute, 5 * minute, 15 * minute, 30 * minute]', '[minute, 10 * minute, 15 * minute, 30 * minute]'],
    ['CONN-010', 'probes >= maxProbes &&', 'probes > maxProbes &&'],
  ]),
  ...inFile('adapters/services/requests/given-address.ts', [
    ['CONN-011', "username === '' && password === '' && !/[?#@\\\\\\s]/.test(address)", '!/[@\\\\\\s]/.test(address)'],
    ['CONN-017', "(await mayReachPrivate(record.userId)) ? 'private' : 'public'", "'private'"],
  ]),
  ...inFile('domain/connections/connection-status.ts', [
    [
      'CONN-020',
      "return { state: 'reconnect', since, reason: unreadable[why] };",
      "return { state: 'degraded', since, reason: unreadable[why] };",
    ],
    ['CONN-025', 'reason: unreadable[why] }', 'reason: unreadable.damaged }'],
  ]),
  ...inFile('adapters/http/setup/provider-settings-routes.ts', [
    [
      'PSET-001',
      'const stored = await settings.change({ service, vendor, values, userId: user.id, ...chosen });',
      'const stored = await settings.change({ service, vendor, values: new Map(), userId: user.id, ...chosen });',
    ],
    ['PSET-005', "if (!(await recent.isRecent(user))) return err(failed('forbidden', oldText));", ''],
  ]),
  ...inFile('application/setup/provider-settings.ts', [
    ['PSET-002', 'this.#dependencies.use(all);', ''],
    ['PSET-006', 'await this.#askToReconnect(before.filter((app) => isReplaced(app, apps())));', ''],
    ['PSET-009', 'one.vendor === vendor && values.has(one.name)', 'values.has(one.name)'],
    [
      'PSET-011',
      'value === null ? [] : [{ service, vendor, name, value, userId, at }]',
      "[{ service, vendor, name, value: value ?? '', userId, at }]",
    ],
    [
      'PSET-013',
      "await note({ action: 'setup.changed', by: change.userId, subject: change.service, detail: namesIn(change) });",
      '',
    ],
  ]),
  ...inFile('application/webhooks/receive-delivery.ts', [
    ['HOOK-022', "if (verified.failure.reason === 'stale') receipts.stale(delivery, verified.failure);", ''],
    ['HOOK-024', 'const maxParts = 1_000', 'const maxParts = 10_000'],
  ]),
  ...inFile('adapters/services/webhooks/webhook-signature.ts', [
    [
      'HOOK-008',
      'return firstOf(secrets.map((secret) => equal(secret, text)));',
      'return firstOf(secrets.slice(0, 1).map((secret) => equal(secret, text)));',
    ],
    ['HOOK-015', "return `${id}.${hash('sha256', JSON.stringify(lasting)).slice(0, 32)}`;", 'return id;'],
  ]),
  ...inFile('adapters/services/suite-crm/neutral/webhook-source.ts', [
    [
      'HOOK-014',
      "if (!isAllowed(delivery.address ?? '')) {",
      "if (delivery.address === '' && !isAllowed(delivery.address)) {",
    ],
  ]),
  ...inFile('adapters/http/webhooks/webhook-routes.ts', [
    ['HOOK-023', 'if (received.ok) answer(ctx, 200, { received: true });', 'if (received.ok) answer(ctx, 200, {});'],
    [
      'HOOK-025',
      "const url = `${baseUrl}${req.url ?? ''}`;",
      "const url = `http://${req.headers.host}${req.url ?? ''}`;",
    ],
  ]),
];
