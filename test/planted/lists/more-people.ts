import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** More faults against the clauses of users, accounts, grants and approvals (USER, ACCT, GRANT, ASK). */
export const morePeopleFaults: readonly PlantedFault[] = [
  ...inFile('domain/oauth/scope-challenge.ts', [
    [
      'GRANT-014',
      'const level = missing.get(key) ?? present.get(key);',
      "const level = missing.get(key) ?? (present.has(key) ? 'full' : undefined);",
    ],
  ]),
  ...inFile('adapters/mcp/tools/asked-arguments.ts', [
    ['ASK-001', "if (dry != null && typeof dry !== 'boolean')", "if (dry === 'no')"],
  ]),
  ...inFile('domain/tokens/renewal-wait.ts', [
    ['RENEW-010', 'firstWaitMs * 2 ** Math.min(failures - 1, 10)', 'firstWaitMs * failures'],
  ]),
  ...inFile('adapters/persistence/prune-sign-ins.ts', [
    ['REG-019', 'const clientLifetimeMs = 90 * 86_400_000', 'const clientLifetimeMs = 900 * 86_400_000'],
  ]),
  ...inFile('infrastructure/crypto/argon2-passwords.ts', [
    ['USER-007', 'hash(password, this.#options));', 'hash(password, { ...this.#options, salt: new Uint8Array(16) }));'],
  ]),
];
