import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of the signing service, the tracker and the vault (SIGN, TRACK, VAULT). */
export const otherServiceFaults: readonly PlantedFault[] = [
  ...inFile('adapters/services/signing/neutral/dialect.ts', [
    ['SIGN-001', "'Bearer' : 'API-Key'", "'Bearer' : 'Bearer'"],
  ]),
  ...inFile('adapters/services/signing/operations/documents.ts', [
    ['SIGN-002', "'/public/v1/documents/{id}/audit-trail'", "'/public/v1/documents/{id}/audit'"],
  ]),
  ...inFile('adapters/services/signing/answers.ts', [
    ['SIGN-007', "const items = listIn(body, ['results']);", "const items = listIn(body, ['items']);"],
  ]),
  ...inFile('domain/signing/document-state.ts', [
    ['SIGN-003', "boolean => state === 'uploaded'", "boolean => state === 'error'"],
    ['SIGN-004', "return stateAfter(state, 'send') === null ? draftOnly(state, 'sent') : null", 'return null'],
    [
      'SIGN-005',
      "export const settableStates = ['completed', 'expired', 'declined']",
      "export const settableStates = ['completed', 'expired', 'declined', 'paid']",
    ],
    [
      'SIGN-010',
      "if (trigger === 'revert to draft') return 'draft';",
      "if (trigger === 'revert to draft') return state === 'completed' ? null : 'draft';",
    ],
  ]),
  ...inFile('adapters/services/signing/operations/library.ts', [
    ['SIGN-006', "'/public/v1/contacts'", "'/public/v2/contacts'"],
  ]),
  ...inFile('adapters/services/signing/neutral/oauth.ts', [
    ['SIGN-008', "      response_type: 'code',\n", ''],
    ['SIGN-009', 'code,\n      scope: scopeOf(app),', 'code,'],
  ]),
  ...inFile('adapters/services/signing/neutral/limits.ts', [
    ['LIMIT-003', 'const sandboxPoints = 10', 'const sandboxPoints = 100'],
    ['LIMIT-007', 'const otherPoints = 60', 'const otherPoints = 600'],
  ]),
  ...inFile('adapters/services/tracker/neutral/dialect.ts', [
    ['TRACK-001', "authMethod === 'oauth' ? `Bearer ${accessToken}` : accessToken", '`Bearer ${accessToken}`'],
    ['TRACK-005', 'answer.data === null ? answer.errors.length > 0 : isRefused(answer)', 'answer.errors.length > 0'],
  ]),
  ...inFile('adapters/services/requests/request-rows.ts', [['TRACK-002', "path: '/graphql',", "path: '/api',"]]),
  ...inFile('adapters/services/tracker/operations/tables.ts', [
    ['TRACK-003', 'selection: `{ success ${affected} }`', 'selection: `{ ${affected} }`'],
  ]),
  ...inFile('adapters/services/tracker/neutral/oauth.ts', [
    ['TRACK-007', "    response_type: 'code',\n", ''],
    [
      'TRACK-010',
      "extra['actor_mode'] === 'app' ? { actor: 'app' } : {}",
      "extra['actor_mode'] === 'app' ? { actor: 'user' } : {}",
    ],
  ]),
  ...inFile('adapters/services/tracker/neutral/limits.ts', [
    ['LIMIT-005', 'oauth: { requests: 500, complexity: 200_000 }', 'oauth: { requests: 1_500, complexity: 250_000 }'],
  ]),
  ...inFile('adapters/services/tracker/neutral/answers.ts', [
    ['TRACK-004', 'isBackwards ? pageInfo?.startCursor : pageInfo?.endCursor', 'pageInfo?.startCursor'],
  ]),
  ...inFile('adapters/services/vault/neutral/dialect.ts', [
    ['VAULT-001', '`Bearer ${record.accessToken}`', 'record.accessToken'],
    ['VAULT-009', "note: 'application/vnd.vault.note+json'", "note: 'application/json'"],
    ['VAULT-010', "dql: 'application/vnd.vault.dql+txt'", "dql: 'text/plain'"],
  ]),
  ...inFile('adapters/services/vault/rows.ts', [['VAULT-002', "'/search/simple/'", "'/search/text/'"]]),
  ...inFile('adapters/services/requests/wire-request.ts', [
    [
      'VAULT-003',
      "slashes === '+' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)",
      'encodeURIComponent(value)',
    ],
  ]),
  ...inFile('adapters/services/vault/inputs.ts', [
    ['VAULT-004', "target_type: { header: 'Target-Type',", "target_type: { header: 'Target-Kind',"],
  ]),
  ...inFile('adapters/services/vault/recipes.ts', [['VAULT-005', 'if (there.ok) return isThere;', '']]),
  ...inFile('adapters/services/vault/recipes/tags.ts', [
    ['VAULT-006', 'const after = [...before, ...added];', 'const after = [...added];'],
  ]),
];
