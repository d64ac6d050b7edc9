import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of operations, tools, connections and their renewal (OP, TOOL, CONN, RENEW, EDGE, MCP, USER). */
export const operationFaults: readonly PlantedFault[] = [
  ...inFile('adapters/services/suite-crm/neutral/answers.ts', [
    ['OP-002', "return succeeded(content, paginationOf(info, inputs['page'], words));", 'return succeeded(content);'],
  ]),
  ...inFile('infrastructure/http/retry.ts', [
    [
      'OP-003',
      'return retryAfterMs(result.headers, Date.now()) ?? limit?.retryAfterMs ?? backoffMs;',
      'return limit?.retryAfterMs ?? backoffMs;',
    ],
    [
      'OP-004',
      "return isRepeatable && result.reason === 'network' ? backoffMs : null;",
      "return result.reason === 'network' ? backoffMs : null;",
    ],
    ['OP-019', "isRepeatable && result.reason === 'network' ? backoffMs : null", 'isRepeatable ? backoffMs : null'],
  ]),
  ...inFile('application/operations/run-operation.ts', [
    ['OP-005', 'isRefused(first) && !this.#isResting(record)', 'isRefused(first) && request === null'],
  ]),
  ...inFile('adapters/services/tracker/operations/issue-changes.ts', [
    ['TOOL-001', "tool: 'tracker_issue_archive'", "tool: 'tracker_issue_remove'"],
  ]),
  ...inFile('adapters/http/mcp-routes.ts', [
    [
      'MCP-001',
      "return { method, path, who: 'granted', body: 'none', isProgram: true, run };",
      "return { method, path, who: 'public', body: 'none', isProgram: true, run };",
    ],
  ]),
  ...inFile('adapters/http/pipeline.ts', [
    ['EDGE-010', '      ...reading,\n      ...entryTo(route),', '      ...entryTo(route),\n      ...reading,'],
  ]),
  ...inFile('application/operations/rest-only.ts', [
    ['TOOL-002', "if (service === 'tracker' && act === 'delete') return true;", ''],
  ]),
  ...inFile('adapters/cli/user-command.ts', [
    ['USER-002', "word !== 'all' && !services.some((key) => key === word)", "word !== 'all' && word === ''"],
  ]),
  ...inFile('adapters/persistence/mikro-orm-connections.ts', [
    ['CONN-001', 'return this.#read({ userId });', 'return this.#read({ userId }).then((all) => [...all, ...all]);'],
  ]),
  ...inFile('bootstrap/stores/boxes.ts', [
    ['CONN-021', 'deriveKey(secret, salts[kind])', 'deriveKey(secret + String(process.pid), salts[kind])'],
  ]),
  ...inFile('adapters/memory/memory-pending-connects.ts', [['CONN-005', 'this.#connects.delete(state);', '']]),
  ...inFile('adapters/stores/sealed-stores.ts', [
    [
      'CONN-013',
      'save: (record, status) => store.save(sealed(record), status),',
      'save: (record, status) => store.save({ ...sealed(record), refreshToken: record.refreshToken }, status),',
    ],
  ]),
  ...inFile('application/connections/connect-service.ts', [
    ['CONN-004', '      equal(connect.browser, browser) &&\n', ''],
  ]),
  ...inFile('application/connections/access-tokens.ts', [
    [
      'RENEW-003',
      'if (renewed.ok) return this.#store(refused, renewed.value);',
      'if (renewed.ok) {\n      void this.#store(refused, renewed.value);\n      return ok(renewed.value);\n    }',
    ],
  ]),
  ...inFile('adapters/services/credentials/oauth-facts.ts', [
    ['RENEW-007', 'renewEveryMs: null,', 'renewEveryMs: 3_600_000,'],
  ]),
];
