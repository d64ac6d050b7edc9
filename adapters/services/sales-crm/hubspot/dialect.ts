import { z } from 'zod';
import type { Budget, Dialect, GoodAnswer, ProviderError, Remaining } from '#adapters/services/definitions/dialect.ts';
import { sentencesOf } from '#adapters/services/requests/error-text.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { hubspotRequests } from '#adapters/services/sales-crm/hubspot/requests.ts';
import { jsonOf } from '#adapters/services/webhooks/webhook-signature.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/** HubSpot's address, for accounts in every region. */
export const hubspotUrl = 'https://api.hubapi.com';

/** The facts of HubSpot's interface. `url` is the configured address. */
export function hubspotDialect(url: string | null): Dialect {
  const base = url === null ? hubspotUrl : withoutEnd(url, '/');
  return {
    name: 'hubspot',
    baseUrl: () => base,
    trust: () => true,
    credentials: ({ accessToken }) => ({ headers: { authorization: `Bearer ${accessToken}` } }),
    headers: {},
    mediaTypes: {},
    readError,
    limitIn,
    readSuccess,
    budgets,
    readBudgets,
  };
}

const next = z.looseObject({ after: z.coerce.string() }).nullish();
const paging = z.looseObject({ next }).nullish().catch(null);
const total = z.number().optional().catch(undefined);
const listSchema = z.looseObject({ results: z.array(z.unknown()), paging, total });

/** A list is in `results`, and the place of its next page in `paging.next.after`; a search has a `total`, too. */
function readSuccess({ row, body }: GoodAnswer): Outcome {
  const list = listSchema.safeParse(body).data;
  if (list === undefined) return succeeded(body);
  const after = list.paging?.next?.after ?? null;
  const all = list.total === undefined ? {} : { total: list.total };
  return succeeded(list.results, row.options.page && { next: after, hasMore: after !== null, ...all });
}

const text = z.string().nullish().catch(null);
const context = z.record(z.string(), z.array(z.string())).nullish().catch(null);
const words = { message: text, category: text, subCategory: text, correlationId: text, policyName: text };
const part = z.object({ message: text, context });
const errorSchema = z.object({ ...words, context, errors: z.array(part).catch([]) });

/** Reads an error: what HubSpot says, the scopes that are missing, and the id by which its support finds the request. */
function readError(_answer: HttpAnswer, body: unknown): ProviderError | null {
  const error = errorSchema.safeParse(body).data;
  if (error === undefined) return null;
  const parts = error.errors.slice(0, 3);
  const said = sentencesOf([error.message, ...parts.map(({ message }) => message)]);
  const named = [error, ...parts].flatMap((one) => [
    ...(one.context?.['requiredGranularScopes'] ?? []),
    ...(one.context?.['missingScopes'] ?? []),
  ]);
  const lack = named.length === 0 ? '' : `The connection lacks the scopes ${listed([...new Set(named)])}.`;
  const sentences = ['The sales CRM refused.', said, lack].filter((sentence) => sentence !== '');
  const details = Object.fromEntries(Object.entries(error).filter(([, value]) => value != null));
  return { message: sentences.join(' '), details };
}

/** The waits after limits whose end no header states, in ms: of searches a second, of an app's requests, of a day's. */
const waits: Readonly<Record<string, number>> = { SECONDLY: 1_000, TEN_SECONDLY_ROLLING: 10_000, DAILY: 3_600_000 };

/** The wait after a 429, by the limit that its body names: HubSpot sends no Retry-After. */
function limitIn({ status, body }: HttpAnswer): ReportedLimit | null {
  if (status !== 429) return null;
  const policy = errorSchema.safeParse(jsonOf(body)).data?.policyName ?? '';
  return { retryAfterMs: own(waits, policy) ?? null };
}

const searchesASecond = 5;
/** No answer names the account's plan, on which the limits depend: they are out of reach until headers report the rest. */
const unknownSize = 10_000_000;

/** The limits that a request counts against: of all requests of the app, and of the account's searches. */
function budgets({ path }: RequestRow, { extra, service }: TokenRecord): readonly Budget[] {
  const portal = extra['portal_id'];
  const sharing = typeof portal === 'number' ? { sharedBy: `portal:${portal}:${service}` } : {};
  const search = { name: 'search', points: searchesASecond, windowMs: 1_000, cost: 1, ...sharing };
  return [
    { name: 'ten_seconds', points: unknownSize, windowMs: 10_000, cost: 1, ...sharing },
    { name: 'daily', points: unknownSize, windowMs: 86_400_000, cost: 1, ...sharing },
    ...(path === hubspotRequests.search.path ? [search] : []),
  ];
}

/** Reads what headers report as left; those of searches report nothing. */
function readBudgets({ headers }: HttpAnswer): readonly Remaining[] {
  const count = (name: string): number | null => {
    const value = own(headers, `x-hubspot-ratelimit-${name}`) ?? '';
    return /^\d+$/.test(value) ? Number(value) : null;
  };
  const [left, today] = [count('remaining'), count('daily-remaining')];
  const resetsInMs = count('interval-milliseconds');
  return [
    ...(left === null ? [] : [{ name: 'ten_seconds', remaining: left, resetsInMs, limit: count('max') }]),
    ...(today === null ? [] : [{ name: 'daily', remaining: today, resetsInMs: null, limit: count('daily') }]),
  ];
}
