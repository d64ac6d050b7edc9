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
  ...inFile('application/approvals/ask-approval.ts', [
    ['ASK-005', 'return outcome ?? unknownEnd;', 'return unknownEnd;'],
    ['ASK-006', ' They wrote: ${comment}', ' They wrote something.'],
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
  ...inFile('adapters/services/sales-crm/pipedrive/proof.ts', [
    ['HOOK-016', 'return secret === null\n', "return secret === null && given === ''\n"],
  ]),
];
