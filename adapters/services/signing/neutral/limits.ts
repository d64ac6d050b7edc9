import type { Budget } from '#adapters/services/definitions/dialect.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { own } from '#domain/shared/own.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

const minuteMs = 60_000;

/** Requests per minute and endpoint with a sandbox key (LIMIT-003). */
const sandboxPoints = 10;

/** Requests per minute with production credentials, by endpoint (LIMIT-007). */
const productionPoints: Readonly<Record<string, number>> = {
  'POST /public/v1/documents from a PDF': 300,
  'POST /public/v1/documents from a template': 500,
  'GET /public/v1/documents/{id}/details': 600,
  'GET /public/v1/documents/{id}/download': 100,
  'GET /public/v1/documents/{id}/download-protected': 100,
};

/** Requests per minute of any other endpoint (LIMIT-007). */
const otherPoints = 60;

/**
 * The limit of a row's endpoint. An API key counts as a sandbox key unless the connection's `extra.plan` is
 * `production`; OAuth counts as production.
 */
export function budgets(
  row: RequestRow,
  record: TokenRecord,
  inputs: Readonly<Record<string, unknown>>,
): readonly Budget[] {
  const endpoint = endpointOf(row, inputs);
  const points = isSandbox(record) ? sandboxPoints : (own(productionPoints, endpoint) ?? otherPoints);
  return [{ name: endpoint, points, windowMs: minuteMs, cost: 1 }];
}

/** Whether the connection has a sandbox key. */
export function isSandbox(record: TokenRecord): boolean {
  return record.authMethod !== 'oauth' && record.extra['plan'] !== 'production';
}

/**
 * The endpoint of a row. Creating a document has separate limits for its two sources; a sandbox key has one for both.
 */
export function endpointOf(row: RequestRow, inputs: Readonly<Record<string, unknown>>): string {
  const endpoint = `${row.method} ${row.path}`;
  if (endpoint !== 'POST /public/v1/documents') return endpoint;
  return `${endpoint} from a ${inputs['template_uuid'] === undefined ? 'PDF' : 'template'}`;
}
