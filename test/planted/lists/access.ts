import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of what apps may do, of approvals, of users' rights and of deliveries (GRANT, ASK, CODE, USER, HOOK). */
export const accessFaults: readonly PlantedFault[] = [
  ...inFile('domain/oauth/grant.ts', [
    [
      'GRANT-011',
      'permissions: user.permissions.filter((service) => grant.has(service)),',
      'permissions: user.permissions,',
    ],
  ]),
  ...inFile('application/apps/change-app.ts', [
    ['GRANT-015', 'const scope = chosen === null ? app.scope :', 'const scope = choice !== undefined ? app.scope :'],
  ]),
  ...inFile('domain/users/rights.ts', [
    ['GRANT-016', 'return ofApp.length === 0 ? switchedOff : [...switchedOff, ...ofApp];', 'return switchedOff;'],
  ]),
  ...inFile('adapters/persistence/prune-sign-ins.ts', [
    ['CODE-013', 'usedAt: before(sessionLifetimeS * 1000)', 'usedAt: before(sessionLifetimeS * 2000)'],
  ]),
  ...inFile('adapters/http/people/user-dependencies.ts', [
    [
      'USER-019',
      "return idSchema.safeParse(parameterOf(ctx, 'id')).data ?? 0;",
      "return Number(parameterOf(ctx, 'id'));",
    ],
  ]),
  ...inFile('adapters/http/people/user-invite.ts', [['USER-024', 'const maxInvited = 50', 'const maxInvited = 500']]),
  ...inFile('adapters/http/people/user-json.ts', [
    ['USER-025', 'given.value.permissions ?? (await defaults.find())', 'given.value.permissions ?? []'],
  ]),
  ...inFile('application/approvals/ask-approval.ts', [
    ['ASK-005', 'return outcome ?? unknownEnd;', 'return unknownEnd;'],
    ['ASK-006', ' They wrote: ${comment}', ' They wrote something.'],
  ]),
  ...inFile('adapters/http/webhooks/webhook-routes.ts', [
    ['HOOK-009', 'not_json: { status: 400', 'not_json: { status: 200'],
  ]),
  ...inFile('application/webhooks/receive-delivery.ts', [
    [
      'HOOK-010',
      'const deliveryId = deliveryIdOf(verified.value.deliveryId, delivery.body);',
      'const deliveryId = crypto.randomUUID();',
    ],
  ]),
  ...inFile('domain/oauth/app-grant.ts', [
    ['GRANT-008', 'return since >= grantsExpiredBefore(now) && (', 'return since >= 0 && ('],
  ]),
  ...inFile('application/approvals/decide-approval.ts', [
    [
      'ASK-010',
      'return ok(actingUnder({ ...grant, ask: null }, user, services));',
      'return ok({ ...user, app: { ...actingUnder(grant, user, services).app, ask: null } });',
    ],
    ['ASK-014', 'const changesPerPage = 25', 'const changesPerPage = 24'],
  ]),
  ...inFile('adapters/services/signing/pandadoc/vendor.ts', [
    ['HOOK-017', "singleParameter(delivery, 'signature')", "singleParameter(delivery, 'sign')"],
  ]),
  ...inFile('adapters/http/oauth/consent-page.ts', [
    ['AUTH-015', 'clientName: shownClientName(page.clientName),', "clientName: 'An app',"],
  ]),
  ...inFile('adapters/services/sales-crm/pipedrive/proof.ts', [
    ['HOOK-016', 'return secret === null\n', "return secret === null && given === ''\n"],
  ]),
];
