import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of registration and of the documents of clients and of the server (REG, META). */
export const registrationFaults: readonly PlantedFault[] = [
  ...inFile('domain/oauth/client.ts', [
    ['REG-002', 'id: `client_${random(idBytes)}`', 'id: `client_${random(16)}`'],
    ['REG-003', 'secret: random(secretBytes)', 'secret: random(16)'],
    ['REG-004', "const defaultClientName = 'MCP Client'", "const defaultClientName = 'Client'"],
    [
      'REG-005',
      'uris === null || uris === undefined) return ok([])',
      "uris === null || uris === undefined) return ok([''])",
    ],
    ['REG-007', 'Math.floor(now / 1000)', 'Math.floor(now)'],
    ['REG-010', 'texts.length !== uris.length || !texts.every(isAllowedRedirectUri)', 'texts.length !== uris.length'],
    ['REG-013', "typeof name !== 'string' || name.length > maxNameLength", 'String(name).length > maxNameLength'],
  ]),
  ...inFile('domain/oauth/redirect-uri.ts', [
    [
      'REG-011',
      "if (url.protocol === 'http:') return isLoopbackRedirectUri(uri);",
      "if (url.protocol === 'http:') return false;",
    ],
    ['REG-012', 'reversedDomain.test(url.protocol) || knownClientSchemes', 'true || knownClientSchemes'],
  ]),
  ...inFile('adapters/http/oauth/register-route.ts', [
    ['REG-001', 'ctx.status = 201;', 'ctx.status = 200;'],
    ['REG-006', "token_endpoint_auth_method: 'client_secret_post'", "token_endpoint_auth_method: 'none'"],
    [
      'REG-008',
      "redirectUris: 'redirect_uris' in body ? body.redirect_uris : null,",
      "redirectUris: 'redirect_uris' in body ? body.redirect_uris : null,\n    ...('scope' in body ? { name: 1 } : {}),",
    ],
    ['REG-009', "grant_types: ['authorization_code'],", ''],
    ['REG-016', ' || Array.isArray(body)) return null', ') return null'],
    ['REG-017', 'client_secret_expires_at: 0', 'client_secret_expires_at: 1'],
  ]),
  ...inFile('domain/limits/rate-limit-rules.ts', [['REG-015', 'register: { points: 60,', 'register: { points: 61,']]),
  ...inFile('adapters/memory/memory-clients.ts', [
    ['REG-014', 'moveToEnd(this.#mapOf(id), id, client);', ''],
    [
      'REG-018',
      '[...firstKeys(this.#strangers), ...firstKeys(this.#signedIn)]',
      '[...firstKeys(this.#signedIn), ...firstKeys(this.#strangers)]',
    ],
  ]),
  ...inFile('adapters/http/oauth/well-known-routes.ts', [
    ['META-001', 'ctx.status = 404;', 'ctx.status = 302;'],
    ['META-002', 'token_endpoint: `${baseUrl}/token`', 'token_endpoint: `${baseUrl}/oauth/token`'],
    ['META-003', "bearer_methods_supported: ['header']", "bearer_methods_supported: ['query']"],
    ['META-005', 'oauthMetadata ? metadataDocuments(baseUrl, services) : []', 'metadataDocuments(baseUrl, services)'],
  ]),
  ...inFile('adapters/http/pipeline.ts', [
    [
      'META-004',
      'oauthMetadata ? (path: string) => resourceMetadataUrl(baseUrl, path) : null',
      '(path: string) => resourceMetadataUrl(baseUrl, path)',
    ],
  ]),
  ...inFile('application/oauth/find-client.ts', [
    ['META-006', 'if (this.#documents !== null && isDocumentAddress(id)) return this.#documents.find(id);', ''],
    [
      'META-015',
      'return described?.ok === true ? described.value : unread;',
      'return described?.ok === true ? described.value : null;',
    ],
  ]),
  ...inFile('domain/oauth/client-document.ts', [
    ['META-007', "member('client_id') !== clientId", "typeof member('client_id') !== 'string'"],
    ['META-010', 'isDocumentAddress(id) && URL.canParse(id) ? new URL(id).host : null', 'null'],
  ]),
  ...inFile('adapters/client-documents/fetched-client-documents.ts', [
    ['META-008', 'if (status !== 200)', 'if (status >= 500)'],
    ['META-009', 'if (client.ok) {', 'if (client.ok && this.#kept.size > 9) {'],
  ]),
  ...inFile('domain/oauth/authorization-request.ts', [
    ['META-011', 'rules.isStrict || client.secret === null', 'rules.isStrict'],
  ]),
  ...inFile('domain/sessions/session.ts', [
    ['META-012', 'audience === undefined || audience === baseUrl', 'audience === undefined || audience !== null'],
  ]),
  ...inFile('adapters/http/oauth/authorize-routes.ts', [
    ['META-013', '(scope === null ? null : choiceOfScope(scope, all)) ?? ', ''],
  ]),
];
