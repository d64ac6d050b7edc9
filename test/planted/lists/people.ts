import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of users, of single sign-on and of accounts (USER, OIDC, ACCT). */
export const peopleFaults: readonly PlantedFault[] = [
  ...inFile('domain/users/email.ts', [
    ['USER-001', "email.trim().normalize('NFC').toLowerCase()", "email.trim().normalize('NFC')"],
  ]),
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
];
