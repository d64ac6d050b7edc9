import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of users, of single sign-on and of accounts (USER, OIDC, ACCT). */
export const peopleFaults: readonly PlantedFault[] = [
  ...inFile('domain/users/email.ts', [['USER-001', 'inNfc(email.trim()).toLowerCase()', 'inNfc(email.trim())']]),
  ...inFile('domain/users/rights.ts', [
    [
      'USER-003',
      'return user.permissions.includes(service);',
      'return user.permissions.length >= 0 || user.permissions.includes(service);',
    ],
  ]),
  ...inFile('domain/sessions/session.ts', [
    ['USER-008', 'return deactivatedAt === null;', 'return deactivatedAt === null || deactivatedAt > 0;'],
  ]),
  ...inFile('application/users/password-links.ts', [
    ['USER-010', 'return equal(digest, this.#digest(found, until)) ? found.user : null;', 'return found.user;'],
    [
      'OIDC-018',
      'await users.change(user.id, { passwordHash, invitedAt: null });\n    return ok(user);',
      'return ok(user);',
    ],
  ]),
  ...inFile('application/users/change-rights.ts', [
    [
      'USER-012',
      'return admins.every((other) => other.id === user.id || !isActive(other));',
      'return admins.length === 0;',
    ],
  ]),
  ...inFile('application/users/change-own-password.ts', [
    [
      'ACCT-001',
      "return err({ reason: 'wrong_password' });",
      "if (given.old === '') return err({ reason: 'wrong_password' });",
    ],
    [
      'ACCT-002',
      'const signedOutBefore = await signOutEverywhere.run(user.id);',
      'const signedOutBefore = user.signedOutBefore;',
    ],
  ]),
  ...inFile('adapters/http/sign-in/welcome-routes.ts', [
    [
      'USER-017',
      'setSessionCookie(ctx, token, takesPasswords ? sessionLifetimeS : shortLifetimeS);',
      'setSessionCookie(ctx, token.slice(1), takesPasswords ? sessionLifetimeS : shortLifetimeS);',
    ],
  ]),
  ...inFile('domain/sign-in/identity.ts', [
    ['OIDC-006', 'JSON.stringify([issuer, subject])', 'JSON.stringify([issuer])'],
  ]),
  ...inFile('domain/sign-in/admission.ts', [
    [
      'OIDC-010',
      'if (domains.length > 0) return domains.includes(domainOf(verifiedEmail));',
      'if (domains.length > 0) return true;',
    ],
  ]),
  ...inFile('domain/sign-in/group-rights.ts', [
    [
      'OIDC-013',
      'const kept = user.permissions.filter((service) => !isManaged(service));',
      'const kept = user.permissions;',
    ],
  ]),
  ...inFile('application/sign-in/provider-sign-in.ts', [
    [
      'OIDC-005',
      'if ((authorize?.length ?? 0) > maxAuthorizeLength)',
      'if ((authorize?.length ?? 0) > maxAuthorizeLength * 1000)',
    ],
    [
      'OIDC-019',
      "await note({ action: 'user.signed_in_by_oidc', by: id, userId: id, subject: person.issuer, detail: person.email });",
      '',
    ],
  ]),
  ...inFile('application/sign-in/admit-person.ts', [
    ['OIDC-008', "if (!isFree) return err({ reason: 'account_exists', email });", ''],
    ['OIDC-009', "if (wasDeleted) return err({ reason: 'deleted', email });\n    return isTakenIn", 'return isTakenIn'],
  ]),
  ...inFile('adapters/oidc/openid-provider.ts', [
    [
      'OIDC-002',
      "        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),\n        code_challenge_method: 'S256',\n",
      '',
    ],
    ['OIDC-011', 'library.enableNonRepudiationChecks(configuration);', ''],
    ['OIDC-012', 'const metadataLifetimeMs = 3_600_000', 'const metadataLifetimeMs = 36_000_000'],
  ]),
  ...inFile('adapters/http/sign-in/provider-routes.ts', [
    [
      'OIDC-003',
      'authorize === null ? homePath : (setupPageIn(authorize) ?? `/authorize?${authorize}`)',
      'authorize === null ? homePath : (setupPageIn(authorize) ?? homePath)',
    ],
  ]),
  ...inFile('application/sign-in/link-identity.ts', [
    [
      'ACCT-005',
      "if (!isNew && (await identities.find(id))?.userId !== user.id) return err({ reason: 'identity_taken' });",
      '',
    ],
    [
      'ACCT-006',
      "if (all.length === 1 && !(await this.#hasPassword(user))) return err({ reason: 'last_way_in' });",
      '',
    ],
  ]),
  ...inFile('application/session/own-sessions.ts', [
    ['ACCT-007', '.filter((session) => isOpen(session, user.id, clock.now()))', '.slice(1)'],
    ['ACCT-008', 'filter(({ id }) => id !== user.signedInBy)', 'filter(({ id }) => id === user.signedInBy)'],
  ]),
  ...inFile('application/apps/personal-tokens.ts', [
    ['ACCT-010', 'expiresAt: since + days * dayMs,', 'expiresAt: since + maxTokenDays * dayMs,'],
    ['ACCT-015', '.length >= maxTokens', '.length > maxTokens'],
  ]),
  ...inFile('adapters/http/people/token-routes.ts', [
    [
      'ACCT-013',
      "const route = { who: 'person', body: 'none' } as const;",
      "const route = { who: 'person-or-app', body: 'none' } as const;",
    ],
  ]),
];
