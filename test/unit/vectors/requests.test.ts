import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { wireRequest } from '#adapters/services/requests/wire-request.ts';
import { operations as salesCrmOperations } from '#adapters/services/sales-crm/operations.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import { dialect as vaultDialect } from '#adapters/services/vault/neutral/dialect.ts';
import { operations as vaultOperations } from '#adapters/services/vault/operations.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { salesCrmDialect } from '#test/support/services/vendors.ts';
import { readVectors } from '#test/unit/vectors/read-vectors.ts';

const record: TokenRecord = {
  userId: 1,
  service: 'vault',
  authMethod: 'api_key',
  accessToken: 'the-token',
  refreshToken: null,
  scope: null,
  expiresAt: null,
  extra: { base_url: 'https://notes.example', api_domain: 'https://api.example' },
  updatedAt: 0,
};

type Named = Readonly<{ table: OperationTable; dialect: Dialect }>;

function sent({ table, dialect }: Named, name: string, input: unknown) {
  const row = table[name];
  if (row?.kind !== 'request') throw new Error(`${name} is no request`);
  return wireRequest(row, row.input.parse(input), dialect, record);
}

const vault: Named = { table: vaultOperations, dialect: vaultDialect };
const salesCrm: Named = { table: salesCrmOperations, dialect: salesCrmDialect('neutral', 'https://crm.example') };

const list = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ cases: z.array(z.object(shape)) });
const queries = readVectors('query-encoding', list({ value: z.string(), encoded: z.array(z.string()) }));
const paths = readVectors('vault-paths', list({ path: z.string(), sent: z.string() }));
const targets = readVectors('vault-targets', list({ target: z.string(), header: z.string() }));
const texts = z.record(z.string(), z.string());
const credentials = readVectors(
  'outbound-authorization',
  list({
    service: z.enum(['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault']),
    auth_method: z.enum(['oauth', 'api_key', 'personal_token']),
    token: z.string(),
    headers: texts,
    query: texts,
  }),
);

const dialects: Readonly<Record<(typeof credentials)['cases'][number]['service'], () => Dialect>> = {
  sales_crm: () => salesCrm.dialect,
  signing: () => signing.configure({}).provider().dialect,
  suite_crm: () => suiteCrm.configure({}).provider().dialect,
  tracker: () => tracker.configure({}).provider().dialect,
  vault: () => vault.dialect,
};

describe('the shared vectors of requests', () => {
  it.each(queries.cases.filter(({ value }) => value !== ''))(
    'decide the query %o (SALES-002)',
    ({ value, encoded }) => {
      const { url } = sent(salesCrm, 'deals.search', { term: value });
      expect(encoded).toContain(/[?&]term=([^&]*)/.exec(url)?.[1]);
    },
  );

  it.each(paths.cases)('decide the path $path (VAULT-003)', ({ path, sent: expected }) => {
    expect(sent(vault, 'notes.read', { path }).url).toBe(`https://notes.example${expected}`);
  });

  it.each(targets.cases)('decide the target $target (VAULT-004, VAULT-011)', ({ target, header }) => {
    const input = { path: 'A.md', operation: 'append', target_type: 'heading', target, content: 'x' };
    expect(sent(vault, 'notes.patch', input).headers['target']).toBe(header);
  });

  it.each(credentials.cases)(
    'decide the credentials of $service, $auth_method (SALES-001, SIGN-001, SUITE-001, TRACK-001, VAULT-001)',
    ({ service, auth_method, token, headers, query }) => {
      const travels = dialects[service]().credentials({
        ...record,
        service,
        authMethod: auth_method,
        accessToken: token,
      });
      const lower = Object.entries(travels.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
      expect(Object.fromEntries(lower)).toEqual(headers);
      expect(travels.query ?? {}).toEqual(query);
    },
  );
});
