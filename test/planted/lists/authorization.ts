import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of authorization, of codes and of their exchange (AUTH, CODE, TOKEN, PKCE). */
export const authorizationFaults: readonly PlantedFault[] = [
  ...inFile('adapters/http/oauth/authorize-pages.ts', [
    ['AUTH-001', 'clientName: request.client.name,\n      email,', "clientName: 'MCP Client',\n      email,"],
    ['AUTH-008', 'sendPage(ctx, 400, this.#unknownApp', 'sendPage(ctx, 200, this.#unknownApp'],
    [
      'AUTH-009',
      'showMessage(ctx, 400, { ...errorTexts[error.reason], link: home })',
      'showMessage(ctx, 302, { ...errorTexts[error.reason], link: home })',
    ],
    ['AUTH-016', "return this.#formGuard.isGenuine(ctx, token, 'authorize-login', []);", 'return true;'],
    [
      'AUTH-026',
      'return this.#formGuard.isGenuine(ctx, token, consentPurpose, consentBinding(request, caller));',
      'return true;',
    ],
  ]),
  ...inFile('adapters/http/answers/templates/consent.eta', [['AUTH-002', 'Allow Access', 'Allow']]),
  ...inFile('adapters/http/oauth/authorization-fields.ts', [
    ['AUTH-003', "code_challenge_method: request.codeChallenge === null ? '' : 'S256',", ''],
  ]),
  ...inFile('adapters/http/oauth/authorize-routes.ts', [
    [
      'AUTH-006',
      'withParameters(redirectUri, { ...parameters, state, iss: issuer })',
      'withParameters(redirectUri, { ...parameters, state: null, iss: issuer })',
    ],
    ['AUTH-019', 'state, iss: issuer }', 'state }'],
    [
      'AUTH-022',
      'return dependencies.pages.showConsent(ctx, { request, caller: signedIn.value, showing: shown, choice });',
      'return dependencies.pages.showLogin(ctx, request, shown);',
    ],
    ['AUTH-027', 'begun.value.wantsLogin ? null : visitorOf(ctx)', 'visitorOf(ctx)'],
    [
      'AUTH-029',
      'if (!granted.ok) return pages.showConsent(ctx, { request, caller, showing: noService, choice, ask });',
      "if (!granted.ok) return goBack(ctx, dependencies, request, { error: 'access_denied' });",
    ],
  ]),
  ...inFile('application/oauth/decide-authorization.ts', [
    ['AUTH-007', "return { error: 'access_denied' };", "return { code: 'code_' };"],
    ['AUTH-018', 'scope === null ? consented : { ...consented, scope }', 'consented'],
    ['CODE-002', 'redirectUri, codeChallenge, ...asked }', 'redirectUri, codeChallenge: null, ...asked }'],
  ]),
  ...inFile('adapters/http/sign-in/login-failure.ts', [
    ['AUTH-005', "banner: 'The e-mail or the password is wrong.'", "banner: 'The password is wrong.'"],
  ]),
  ...inFile('bootstrap/config/settings.ts', [
    ['CODE-010', "databaseUrl.startsWith('sqlite:') ? 'memory' : 'database'", "'database'"],
  ]),
  ...inFile('domain/oauth/redirect-uri.ts', [
    ['AUTH-010', 'portless !== null && withoutLoopbackPort(known) === portless', 'portless !== null'],
    [
      'AUTH-011',
      'if (registered.length === 0) return isLoopbackRedirectUri(uri);',
      'if (registered.length === 0) return true;',
    ],
  ]),
  ...inFile('domain/oauth/authorization-request.ts', [
    ['AUTH-012', "type.value !== null && type.value !== 'code'", "type.value === 'implicit'"],
    ['AUTH-013', "method !== null && method !== 'S256'", "method !== null && method !== 'S256' && method !== 'plain'"],
    [
      'AUTH-014',
      "!raw.resource.filter((value) => value !== '').every(rules.isOwnResource)",
      'raw.resource.length > 99',
    ],
    ['AUTH-024', 'given.length > 1 ? err', 'given.length > 99 ? err'],
    ['AUTH-025', 'const maxStateLength = 4_096', 'const maxStateLength = 40_960'],
    ['AUTH-031', 'type.value === null && rules.isStrict', 'type.value === null && false'],
  ]),
  ...inFile('infrastructure/crypto/argon2-passwords.ts', [
    ['AUTH-033', 'waitMs > this.#costs.maxWaitMs', 'waitMs > 100 * this.#costs.maxWaitMs + 1e6'],
    ['AUTH-033', 'waitedMs > this.#costs.maxWaitMs', 'waitedMs > 100 * this.#costs.maxWaitMs + 1e6'],
  ]),
  ...inFile('domain/limits/rate-limit-rules.ts', [
    ['AUTH-020', 'login_email: { points: 10,', 'login_email: { points: 11,'],
    ['AUTH-032', 'login_account: { points: 100,', 'login_account: { points: 1000,'],
    ['TOKEN-014', 'token: { points: 600,', 'token: { points: 601,'],
  ]),
  ...inFile('domain/oauth/authorization-code.ts', [
    ['CODE-001', 'code: `code_${random(idBytes)}`', 'code: `code_${random(16)}`'],
    ['CODE-005', 'now > code.expiresAt', 'now >= code.expiresAt'],
    ['CODE-006', 'now > code.expiresAt', 'now > code.expiresAt + 1000'],
    ['TOKEN-004', '!equal(code.clientId, exchange.clientId)', 'false'],
    ['TOKEN-005', 'exchange.redirectUri === null || !equal(code.redirectUri, exchange.redirectUri)', 'false'],
    [
      'TOKEN-006',
      "if (!isVerified(code.codeChallenge, exchange.codeVerifier)) return err({ reason: 'invalid_code_verifier' });",
      '',
    ],
    [
      'TOKEN-007',
      "if (isExpired(code, now)) return err({ reason: 'expired_code' });\n  if (client === null || !equal(code.clientId, exchange.clientId)) return err({ reason: 'invalid_client' });",
      "if (client === null || !equal(code.clientId, exchange.clientId)) return err({ reason: 'invalid_client' });\n  if (isExpired(code, now)) return err({ reason: 'expired_code' });",
    ],
    [
      'TOKEN-010',
      'if (!isAuthentic(client, exchange.clientSecret, isStrict))',
      'if (!isAuthentic(client, null, isStrict))',
    ],
    ['TOKEN-012', 'return secret === null ? !isStrict || client.secret === null', 'return secret === null ? true'],
    ['TOKEN-013', "if (isStrict && code.codeChallenge === null) return err({ reason: 'invalid_code_verifier' });", ''],
  ]),
  ...inFile('application/oauth/exchange-code.ts', [
    [
      'CODE-003',
      'if (!(await codes.consume(code.code, { userId, grantId, usedAt: now, exchange: exchangeDigest(exchange) }))) {',
      'if (userId < 0) {',
    ],
    [
      'CODE-007',
      "if (checked.failure.reason === 'expired_code') await codes.remove(code.code);",
      'await codes.remove(code.code);',
    ],
    ['CODE-009', "if (!(await this.#isStillWanted(code))) return err({ reason: 'invalid_code' });", ''],
    [
      'CODE-011',
      'const isRevoked = await grants.remove(userId, grantId);',
      'const isRevoked = userId < 0 && (await grants.remove(userId, grantId));',
    ],
    ['TOKEN-003', "client === null ? 'invalid_client' : 'invalid_code'", "'invalid_client'"],
    [
      'TOKEN-015',
      'expiresInS: sessionLifetimeS, scope });',
      'expiresInS: sessionLifetimeS, scope: scope ?? fullScope });',
    ],
    ['TOKEN-016', "client === null ? 'invalid_client' : 'invalid_code'", "'invalid_code'"],
  ]),
  ...inFile('adapters/memory/memory-authorization-codes.ts', [
    [
      'CODE-004',
      'if (!this.#codes.delete(code)) return false;',
      'if (!this.#codes.has(code)) return false;\n    await new Promise((go) => setTimeout(go, 20));\n    this.#codes.delete(code);',
    ],
    ['CODE-008', 'into.size >= this.#max && oldest !== undefined', 'false && oldest !== undefined'],
  ]),
  ...inFile('domain/oauth/code-use.ts', [['CODE-012', 'const repeatWindowMs = 10_000', 'const repeatWindowMs = 0']]),
  ...inFile('adapters/http/oauth/token-request.ts', [
    ['TOKEN-001', "if (grantType !== 'authorization_code') {", "if (grantType === 'authorization_code') {"],
    ['TOKEN-009', "return error('unsupported_grant_type', ", "return error('invalid_request', "],
  ]),
  ...inFile('adapters/http/oauth/token-route.ts', [
    [
      'TOKEN-002',
      "token_type: 'bearer', expires_in: expiresInS }",
      "token_type: 'bearer', expires_in: expiresInS, refresh_token: accessToken }",
    ],
    ['TOKEN-008', 'error_description: description, reason }', 'error_description: description }'],
  ]),
  ...inFile('domain/oauth/pkce.ts', [
    ['PKCE-001', "hash('sha256', verifier, 'base64url')", "hash('sha256', verifier, 'base64')"],
    ['PKCE-002', 'verifier !== null &&', 'verifier === null ||'],
    ['PKCE-003', 'if (challenge === null) return true;', 'if (challenge === null) return verifier !== null;'],
    ['PKCE-004', 'equal(challengeOf(verifier), challenge)', 'challengeOf(verifier) === challenge'],
  ]),
];
