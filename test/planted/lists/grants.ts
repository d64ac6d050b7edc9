import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of what apps are granted, and of changes that a person decides (GRANT, ASK). */
export const grantFaults: readonly PlantedFault[] = [
  ...inFile('application/oauth/exchange-code.ts', [
    ['GRANT-001', 'clientName,\n      scope: scope ?? fullScope,', 'clientName,\n      scope: fullScope,'],
  ]),
  ...inFile('application/session/identify-caller.ts', [
    ['GRANT-002', 'await grants.noteUse(grantId, now);', ''],
    [
      'GRANT-004',
      'if (session.grantId === undefined) return this.#actUnnamed(signedIn, session.scope ?? null);',
      'if (session.grantId === undefined) return null;',
    ],
  ]),
  ...inFile('domain/oauth/grant.ts', [
    ['GRANT-013', 'if (!words.every((one) => word.test(one))) return new Map();', ''],
  ]),
  ...inFile('application/approvals/ask-approval.ts', [
    ['ASK-003', 'if (!mustBeAllowed(effect, policy)) return false;', 'if (effect !== null) return false;'],
    ['ASK-007', 'if (digest === allowed.digest) return null;', "if (allowed.digest !== '') return null;"],
    [
      'ASK-009',
      'found.userId === user.id && found.grantId === (user.app?.grantId ?? null)',
      'found.userId === user.id',
    ],
    ['ASK-012', 'if (counts.ofApp >= maxWaitingOfApp)', 'if (counts.ofApp > maxWaitingOfApp)'],
  ]),
  ...inFile('application/approvals/decide-approval.ts', [
    ['ASK-011', 'if (!mayAlwaysBeAllowed(effect) || floor.asks(service, effect)) return;', ''],
  ]),
];
