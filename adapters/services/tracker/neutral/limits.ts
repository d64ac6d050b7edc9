import { z } from 'zod';
import type { Budget, Dialect } from '#adapters/services/definitions/dialect.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import { complexityOf } from '#adapters/services/tracker/neutral/complexity.ts';
import { answerOf, reasonOf } from '#adapters/services/tracker/neutral/errors.ts';
import { jsonOrNull } from '#domain/json/json-data.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, ReportedLimit } from '#infrastructure/http/http-messages.ts';

const windowMs = 3_600_000;

/** Requests and complexity points per hour (LIMIT-005). */
const hourly = {
  key: { requests: 1_500, complexity: 250_000 },
  oauth: { requests: 500, complexity: 200_000 },
  unauthenticated: { requests: 60, complexity: 10_000 },
} as const;

/** Cached costs, by document and page size. */
const costs = new Map<string, Map<number, number>>();

/** The complexity points of a row with this page size, computed once for each. */
function costOf(row: RequestRow, pageSize: number): number {
  const document = row.options.graphql?.document ?? '';
  const bySize = costs.get(document) ?? new Map<number, number>();
  costs.set(document, bySize);
  const known = bySize.get(pageSize);
  if (known !== undefined) return known;
  const cost = Math.ceil(complexityOf(document, pageSize));
  bySize.set(pageSize, cost);
  return cost;
}

/** The two budgets that every request counts against. */
export function budgets(row: RequestRow, record: TokenRecord, inputs: Inputs): readonly Budget[] {
  const allowed =
    record.accessToken === '' ? hourly.unauthenticated : record.authMethod === 'oauth' ? hourly.oauth : hourly.key;
  const pageSize = Number(inputs['first'] ?? inputs['last'] ?? 1);
  return [
    { name: 'requests', points: allowed.requests, windowMs, cost: 1 },
    { name: 'complexity', points: allowed.complexity, windowMs, cost: costOf(row, pageSize) },
  ];
}

/**
 * The rate limit that an answer reports: by 429, or, whatever the status, by an error of that kind without data. The
 * wait lasts until the exhausted budget resets; null where the headers do not say.
 */
export function limitIn(answer: HttpAnswer): ReportedLimit | null {
  if (answer.status !== 429 && !statesLimit(answer)) return null;
  const waits = readBudgets(answer).flatMap(({ remaining, resetsInMs }) => (remaining > 0 ? [] : (resetsInMs ?? [])));
  return { retryAfterMs: waits.length === 0 ? null : Math.max(...waits) };
}

function statesLimit({ body }: HttpAnswer): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.includes('"errors"')) return false;
  const answer = answerOf(jsonOrNull(bytes.toString()));
  return answer !== null && answer.data === null && answer.errors.some((error) => reasonOf(error) === 'rate_limited');
}

type Remaining = ReturnType<NonNullable<Dialect['readBudgets']>>;

const limitSchema = z.object({
  extensions: z.object({
    complexity: z.object({
      remaining: z.number(),
      resetAt: z.number().optional(),
      limit: z.number().positive().nullable().catch(null),
    }),
  }),
});

/**
 * Reads what is left of the budgets, and their size: from headers, whose reset is Unix ms, or from the answer's
 * `extensions.complexity` with `remaining`, `resetAt` and `limit` (LIMIT-006).
 */
export function readBudgets(answer: HttpAnswer): Remaining {
  const requests = inHeaders(answer, 'requests');
  const complexity = inHeaders(answer, 'complexity');
  return [...requests, ...(complexity.length === 0 ? inExtensions(answer) : complexity)];
}

function inHeaders({ headers }: HttpAnswer, name: string): Remaining {
  const remaining = numberIn(headers[`x-ratelimit-${name}-remaining`]);
  if (remaining === null) return [];
  const limit = numberIn(headers[`x-ratelimit-${name}-limit`]);
  return [{ name, remaining, resetsInMs: untilMs(numberIn(headers[`x-ratelimit-${name}-reset`])), limit }];
}

function inExtensions(answer: HttpAnswer): Remaining {
  const text = new TextDecoder().decode(answer.body);
  if (!text.includes('"extensions"')) return [];
  const parsed = limitSchema.safeParse(jsonOrNull(text));
  if (!parsed.success) return [];
  const { remaining, resetAt, limit } = parsed.data.extensions.complexity;
  return [{ name: 'complexity', remaining, resetsInMs: untilMs(resetAt ?? null), limit }];
}

function numberIn(text: string | undefined): number | null {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
}

/** At least a second: a budget that has just been reset must not discard the count at once. */
const untilMs = (resetAt: number | null) => (resetAt === null ? null : Math.max(1_000, resetAt - Date.now()));
