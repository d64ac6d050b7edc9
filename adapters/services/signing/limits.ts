import type { Budget } from '#adapters/services/dialect.ts';
import type { RequestRow } from '#adapters/services/operation-table.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

const minuteMs = 60_000;

/** Requests a minute and endpoint with a sandbox key (contract, Limits: signing). */
const sandboxPoints = 10;

/** Requests a minute with production credentials, by endpoint (contract, Limits: signing). */
const productionPoints: Readonly<Record<string, number>> = {
  // 300 from a PDF and 500 from a template: a row is not told which, so the lower one holds.
  'POST /public/v1/documents': 300,
  'GET /public/v1/documents/{id}/details': 600,
  'GET /public/v1/documents/{id}/download': 100,
  'GET /public/v1/documents/{id}/download-protected': 100,
};

/** Requests a minute of any other endpoint (contract, Limits: signing). */
const otherPoints = 60;

/**
 * The limit of a row's endpoint. An API key is taken for a sandbox key unless the connection's `extra.plan` is `production`;
 * OAuth is production.
 */
export function budgets(row: RequestRow, record: TokenRecord): readonly Budget[] {
  const endpoint = `${row.method} ${row.path}`;
  const points = isSandbox(record) ? sandboxPoints : (productionPoints[endpoint] ?? otherPoints);
  return [{ name: endpoint, points, windowMs: minuteMs, cost: 1 }];
}

/** Whether the connection has a sandbox key. */
export function isSandbox(record: TokenRecord): boolean {
  return record.authMethod !== 'oauth' && record.extra['plan'] !== 'production';
}
