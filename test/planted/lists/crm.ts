import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of the sales CRM and of the suite CRM (SALES, SUITE). */
export const crmFaults: readonly PlantedFault[] = [
  ...inFile('adapters/services/sales-crm/neutral/dialect.ts', [
    ['SALES-001', '{ query: { api_token: record.accessToken } }', '{ headers: { authorization: record.accessToken } }'],
  ]),
  ...inFile('adapters/services/sales-crm/operations/deals.ts', [
    ['SALES-002', "'/api/v2/deals/{id}/products'", "'/v1/deals/{id}/products'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/parties.ts', [
    ['SALES-003', "path: '/api/v2/organizations',", "path: '/api/v2/persons',"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/activities.ts', [
    ['SALES-004', "  'activities.delete': records.delete,\n", ''],
  ]),
  ...inFile('adapters/services/sales-crm/operations/pipelines.ts', [
    ['SALES-005', "post('/api/v2/pipelines'", "post('/v1/pipelines'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/leads.ts', [
    ['SALES-006', "'/api/v2/leads/{id}/convert/deal'", "'/v1/leads/{id}/convert/deal'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/products.ts', [
    ['SALES-007', "del('/api/v2/products/{id}'", "del('/v1/products/{id}'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/notes.ts', [
    ['SALES-008', "'notes.update': put(\n    '/v1/notes/{id}'", "'notes.update': put(\n    '/api/v2/notes/{id}'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/files.ts', [
    ['SALES-009', "'/v1/files/{id}/download'", "'/v1/files/{id}'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/goals.ts', [
    ['SALES-010', "'/v1/goals/{id}/results'", "'/v1/goals/{id}/progress'"],
  ]),
  ...inFile('adapters/services/sales-crm/operations/account.ts', [
    ['SALES-011', "get('/v1/users/me'", "get('/v1/me'"],
    ['SALES-012', "'/api/v2/itemSearch'", "'/v1/itemSearch'"],
    ['SALES-022', "'updated', 'deleted', 'merged', '*']", "'updated', 'deleted', '*']"],
  ]),
  ...inFile('adapters/services/sales-crm/neutral/answers.ts', [
    ['SALES-013', "pagination.data['next_cursor']", "pagination.data['next']"],
  ]),
  ...inFile('adapters/services/sales-crm/neutral/oauth.ts', [
    ['SALES-016', '...(scopes === null ? {} : { scope: app.scopes ?? scopes }),', ''],
    ['RENEW-001', 'renewEveryMs: 50 * 60_000', 'renewEveryMs: 70 * 60_000'],
  ]),
  ...inFile('adapters/services/credentials/oauth-facts.ts', [
    ['SALES-017', 'redirect_uri: redirectUri,\n      ...client(app),', '...client(app),'],
    ['TRACK-008', "grant_type: 'refresh_token',", "grant_type: 'authorization_code',"],
    ['SUITE-010', "grant_type: 'authorization_code',", "grant_type: 'code',"],
  ]),
  ...inFile('adapters/services/sales-crm/neutral/limits.ts', [
    ['LIMIT-002', 'baseTokensADay * multiplier * seats', 'baseTokensADay * multiplier'],
    ['LIMIT-008', "row.path.startsWith('/v1/') ? base * 2 : base", 'base'],
  ]),
  ...inFile('adapters/services/suite-crm/neutral/dialect.ts', [
    ['SUITE-001', '`${prefix} ${record.accessToken}`', '`Bearer ${record.accessToken}`'],
    ['SUITE-002', 'apiDomainOf(record, url) ?? (url', '(url'],
  ]),
  ...inFile('adapters/services/suite-crm/inputs.ts', [
    ['SUITE-003', 'z.array(record).min(1).max(100)', 'z.array(record).min(1).max(1000)'],
  ]),
  ...inFile('adapters/services/suite-crm/operations/actions.ts', [
    ['SUITE-004', "'/crm/v8/Leads/{id}/convert'", "'/crm/v8/Leads/{id}/actions/convert'"],
  ]),
  ...inFile('adapters/services/suite-crm/details/paging.ts', [
    ['SUITE-005', 'next: String(number + 1), hasMore: true', 'next: String(number), hasMore: true'],
    ['SUITE-009', '  .max(200)\n  .default', '  .max(2000)\n  .default'],
  ]),
  ...inFile('adapters/services/suite-crm/neutral/oauth.ts', [
    ['SUITE-008', "access_type: 'offline'", "access_type: 'online'"],
  ]),
  ...inFile('adapters/services/suite-crm/neutral/limits.ts', [
    ['LIMIT-004', 'enterprise: { concurrency: 20,', 'enterprise: { concurrency: 25,'],
    ['LIMIT-009', 'Math.min(most, base + perUser * users)', 'Math.min(most, base + perUser)'],
  ]),
];
