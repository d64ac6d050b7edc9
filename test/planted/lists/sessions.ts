import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of sessions and of who may call a route (SESS, PUB, ROUTE, SET). */
export const sessionFaults: readonly PlantedFault[] = [
  ...inFile('adapters/http/requests/session-cookie.ts', [
    ['SESS-001', "'Path=/; Secure; HttpOnly; SameSite=Lax'", "'Path=/; Secure; HttpOnly; SameSite=None'"],
  ]),
  ...inFile('infrastructure/crypto/jwe-session-tokens.ts', [
    ['SESS-003', ' || !isCanonical(token)) return null', ') return null'],
    ['SESS-013', ' || !isCanonical(token)) return null', ') return null'],
  ]),
  ...inFile('domain/sessions/session.ts', [
    ['SESS-004', 'ageMs < sessionLifetimeS * 1000', 'ageMs < sessionLifetimeS * 1001'],
    ['SESS-006', 'session.issuedAt >= user.signedOutBefore', 'true'],
    [
      'SESS-020',
      "return sentAs === 'cookie' && isPersons ? 'person' : 'app';",
      "return isPersons || sentAs === 'cookie' ? 'person' : 'app';",
    ],
    [
      'SESS-023',
      'session.sessionId !== undefined || (countsFormer && isFormerCookie(session))',
      'session.sessionId !== undefined || isFormerCookie(session)',
    ],
    ['SESS-024', 'const maxAheadMs = 3_600_000', 'const maxAheadMs = 0'],
    ['SESS-027', 'audience === undefined || audience === baseUrl', 'audience === undefined || audience !== null'],
  ]),
  ...inFile('application/session/identify-caller.ts', [
    [
      'SESS-002',
      'if (session === null || !isCurrent(session, now))',
      'if (session === null || (bearer !== null && session.sessionId !== undefined) || !isCurrent(session, now))',
    ],
  ]),
  ...inFile('adapters/http/middleware/authentication.ts', [
    [
      'PUB-002',
      'if (identified.ok) {',
      'if (identified.ok || ctx.path !== null) {\n      if (!identified.ok) return next();',
    ],
    [
      'SESS-005',
      'return { bearer: authorization.slice(7).trim(), cookie: null };',
      'return { bearer: null, cookie: cookie === undefined ? null : sessionValue(cookie) };',
    ],
    ['SESS-007', "const title = 'Authentication Required';", "const title = 'Sign in';"],
    ['SESS-008', "if (isInvalid) logger.warn({ requestId, path: ctx.path }, 'Invalid session');", ''],
    ['SESS-009', "ctx.set('WWW-Authenticate', challenge(isInvalid, metadataUrl));", ''],
    [
      'SESS-015',
      "logger.debug({ requestId, userId: identified.value.user.id }, 'Session accepted');",
      "logger.info({ requestId, userId: identified.value.user.id }, 'Session accepted');",
    ],
    ['SESS-017', "(first[1] ?? '').trim() : ''", "(first[1] ?? '').trim() : (first[1] ?? '')"],
  ]),
  ...inFile('adapters/http/pipeline.ts', [
    [
      'SESS-010',
      "      ...entryTo(route),\n      ...(route.body === 'none' ? [] : [bodyRejection(route.refuseBody)]),",
      "      ...(route.body === 'none' ? [] : [bodyRejection(route.refuseBody)]),\n      ...entryTo(route),",
    ],
    [
      'ROUTE-002',
      "return route.who === 'visitor' ? [findVisitor] : [authenticate, ...admission(route)];",
      "return route.who === 'visitor' ? [findVisitor] : [authenticate];",
    ],
  ]),
  ...inFile('adapters/http/middleware/admission.ts', [
    [
      'ROUTE-003',
      "permission === 'administrator' && !caller.user.isAdmin",
      "permission === 'administrator' && caller.by !== 'person'",
    ],
    ['AUTH-028', "who === 'person-or-app' && isLimited(caller.user)", 'false'],
  ]),
  ...inFile('adapters/http/oauth/set-route.ts', [
    [
      'SESS-011',
      'setSessionCookie(ctx, await renewSession.run(identified.ok ? identified.value : null));',
      'await renewSession.run(identified.ok ? identified.value : null);',
    ],
    ['SESS-014', "if (ctx.get('Authorization') !== '') {", "if (ctx.get('Authorization') === 'none') {"],
  ]),
  ...inFile('application/session/renew-session.ts', [
    ['SESS-016', 'return tokens.seal({ ...session, issuedAt: issuedFor(user, now) });', 'return tokens.seal(session);'],
    ['SESS-019', 'userId: guestUserId, issuedAt: now,', 'userId: 1, issuedAt: now,'],
    ['SESS-021', 'if (user.signedInBy === undefined) return tokens.seal(session);', ''],
  ]),
  ...inFile('application/session/sign-out-everywhere.ts', [
    ['SESS-018', 'const signedOutBefore = clock.now() + 1;', 'const signedOutBefore = clock.now() - 86_400_000;'],
  ]),
  ...inFile('application/session/begin-session.ts', [['SESS-022', 'id: storedIdOf(sessionId),', 'id: sessionId,']]),
  ...inFile('application/session/sign-out.ts', [
    [
      'SESS-025',
      'if (signedInBy !== undefined) await this.#sessions.end(id, signedInBy);',
      'if (signedInBy === id.toString()) await this.#sessions.end(id, signedInBy);',
    ],
  ]),
  ...inFile('bootstrap/config/settings.ts', [
    ['SET-015', "databaseUrl.startsWith('sqlite:') ? 'memory' : 'database'", "'database'"],
  ]),
  ...inFile('domain/sessions/person-session.ts', [
    [
      'SESS-028',
      "const shortLived: readonly string[] = ['oidc', 'link']",
      "const shortLived: readonly string[] = ['oidc']",
    ],
  ]),
  ...inFile('adapters/http/middleware/unrouted.ts', [
    [
      'PUB-003',
      'return isPublic ? next() : authenticate(ctx, next);',
      'return isPublic || routes.length === 0 ? next() : authenticate(ctx, next);',
    ],
    ['PUB-006', "ctx.set('Allow', allow);", ''],
  ]),
];
