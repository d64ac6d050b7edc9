import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** More faults against the clauses of users, accounts, grants and approvals (USER, ACCT, GRANT, ASK). */
export const morePeopleFaults: readonly PlantedFault[] = [
  ...inFile('application/users/manage-users.ts', [
    [
      'USER-011',
      'if (active === false) await signOutEverywhere.run(id, changed);',
      'if (active === false) await users.change(id, changed);',
    ],
    [
      'USER-015',
      "if (id === automationUserId && isActive(user) && active === false) return err({ reason: 'automation_user' });",
      '',
    ],
    ['USER-029', "if (active === false && id === by) return err({ reason: 'yourself' });", ''],
  ]),
  ...inFile('adapters/http/people/user-routes.ts', [
    [
      'USER-013',
      "const ours = { who: 'person', permission: 'administrator' } as const;",
      "const ours = { who: 'person' } as const;",
    ],
    [
      'USER-022',
      'const isRevoked = user !== null && (await apps.revoke(user, app));',
      'const isRevoked = user !== null;',
    ],
    [
      'USER-023',
      "permissions: act === 'permit' ? [...others, permission] : others }",
      'permissions: [...others, permission] }',
    ],
  ]),
  ...inFile('adapters/http/people/session-routes.ts', [
    [
      'ACCT-009',
      "if (await sessions.end(userOf(ctx), id)) ctx.body = { id, state: 'ended' };",
      "if ((await sessions.end(userOf(ctx), id)) || id !== '') ctx.body = { id, state: 'ended' };",
    ],
  ]),
  ...inFile('adapters/http/people/token-routes.ts', [
    [
      'ACCT-014',
      "if (await personal.end(userOf(ctx), id)) ctx.body = { id, state: 'revoked' };",
      "if ((await personal.end(userOf(ctx), id)) || id !== '') ctx.body = { id, state: 'revoked' };",
    ],
  ]),
  ...inFile('adapters/http/oauth/app-routes.ts', [
    [
      'GRANT-007',
      "if (isRevoked) await note({ action: 'app.revoked', ...act });\n    return isRevoked;",
      "if (isRevoked) await note({ action: 'app.revoked', ...act });\n    return true;",
    ],
    [
      'GRANT-010',
      "const route = { who: 'person', body: 'none' } as const;",
      "const route = { who: 'person-or-app', body: 'none' } as const;",
    ],
  ]),
  ...inFile('domain/oauth/scope-challenge.ts', [
    [
      'GRANT-014',
      'const level = missing.get(key) ?? present.get(key);',
      "const level = missing.get(key) ?? (present.has(key) ? 'full' : undefined);",
    ],
  ]),
  ...inFile('application/oauth/exchange-code.ts', [
    ['GRANT-018', 'switchedOff: earlier?.switchedOff ?? [],', 'switchedOff: earlier === undefined ? [] : [],'],
  ]),
  ...inFile('adapters/mcp/tools/asked-arguments.ts', [
    ['ASK-001', "if (dry != null && typeof dry !== 'boolean')", "if (dry === 'no')"],
  ]),
  ...inFile('adapters/http/approvals/approval-routes.ts', [
    ['ASK-013', "always: fieldOf(fields, 'decision') === 'always',", 'always: false,'],
  ]),
  ...inFile('domain/tokens/renewal-wait.ts', [
    ['RENEW-010', 'firstWaitMs * 2 ** Math.min(failures - 1, 10)', 'firstWaitMs * failures'],
  ]),
  ...inFile('adapters/persistence/prune-sign-ins.ts', [
    ['REG-019', 'const clientLifetimeMs = 90 * 86_400_000', 'const clientLifetimeMs = 900 * 86_400_000'],
  ]),
  ...inFile('infrastructure/crypto/argon2-passwords.ts', [
    [
      'USER-007',
      'hash(password, this.#options)));',
      'hash(password, { ...this.#options, salt: new Uint8Array(16) })));',
    ],
  ]),
  ...inFile('application/apps/personal-tokens.ts', [
    [
      'ACCT-011',
      "await note({ action: 'token.created', by: user.id, userId: user.id, subject: grant.id, detail: name });",
      "await note({ action: 'token.created', by: user.id, userId: user.id, subject: grant.id, detail: token });",
    ],
    ['ACCT-012', 'scope: scope ?? fullScope,', 'scope: fullScope,'],
  ]),
  ...inFile('application/approvals/ask-approval.ts', [
    [
      'ASK-004',
      'const digest = digestOf(call, plan);\n    const same',
      'const digest = random.token(32);\n    const same',
    ],
  ]),
  ...inFile('domain/changes/approval.ts', [
    ['ASK-008', 'approvalLifetimeMs = 24 * 60 * 60_000', 'approvalLifetimeMs = 48 * 60 * 60_000'],
  ]),
  ...inFile('adapters/http/oauth/app-routes.ts', [
    ['GRANT-005', 'run: genuine(formGuard, purpose, revoke)', 'run: revoke'],
  ]),
  ...inFile('adapters/http/sign-in/provider-routes.ts', [
    [
      'OIDC-001',
      "showMessage(ctx, 404, { title: 'There is no single sign-on here'",
      "showMessage(ctx, 200, { title: 'There is no single sign-on here'",
    ],
  ]),
  ...inFile('domain/sign-in/sign-in-rules.ts', [
    ['OIDC-004', 'signInLifetimeMs = 600_000', 'signInLifetimeMs = 1_200_000'],
  ]),
  ...inFile('adapters/oidc/read-person.ts', [
    ['OIDC-007', 'if (email_verified === undefined && xms_edov === undefined) return false;', ''],
  ]),
  ...inFile('adapters/http/sign-in/sign-in-routes.ts', [
    [
      'OIDC-017',
      "if (!dependencies.ways.passwords) return showLogin(ctx, dependencies, { ...passwordsOff, email: '' });",
      '',
    ],
  ]),
  ...inFile('application/users/manage-users.ts', [
    [
      'USER-009',
      'permissions: this.#known(permissions), isAdmin, invitedAt };',
      'permissions: [], isAdmin, invitedAt };',
    ],
  ]),
  ...inFile('adapters/http/people/user-json.ts', [
    ['USER-018', 'z.array(z.enum(services)).max(100)', 'z.array(z.string()).max(100)'],
  ]),
];
