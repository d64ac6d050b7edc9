import { z } from 'zod';
import type { Budget, Dialect } from '#adapters/services/definitions/dialect.ts';
import { endpointOf } from '#adapters/services/signing/neutral/limits.ts';
import { own } from '#domain/shared/own.ts';
import type { HttpAnswer, ReportedLimit } from '#infrastructure/http/http-messages.ts';

const minuteMs = 60_000;

/** Requests per minute and endpoint with a sandbox key. */
const sandboxPoints = 10;

/** Requests per minute in production, by endpoint; no others are published (LIMIT-015). */
const productionPoints: Readonly<Record<string, number>> = {
  'POST /public/v1/documents from a PDF': 300,
  'POST /public/v1/documents from a template': 500,
  'POST /public/v1/documents/{id}/send': 400,
  'GET /public/v1/documents': 2_000,
  'GET /public/v1/documents/{id}': 2_000,
  'DELETE /public/v1/documents/{id}': 2_000,
  'GET /public/v1/documents/{id}/details': 600,
  'GET /public/v1/templates/{id}/details': 600,
  'GET /public/v1/documents/{id}/download': 100,
  'GET /public/v1/documents/{id}/download-protected': 100,
};

/** PandaDoc's own limits; none for a key of which it is not known whether it is a sandbox key. */
export const pandadocBudgets: NonNullable<Dialect['budgets']> = (row, { authMethod, extra }, inputs) => {
  const endpoint = endpointOf(row, inputs);
  const plan = authMethod === 'oauth' ? 'production' : extra['plan'];
  const points =
    plan === 'sandbox' ? sandboxPoints : plan === 'production' ? own(productionPoints, endpoint) : undefined;
  const budget: Budget | null = points === undefined ? null : { name: endpoint, points, windowMs: minuteMs, cost: 1 };
  return budget === null ? [] : [budget];
};

const throttled = z.object({ detail: z.string() });

/** The rate limit that a 429 reports: "Request was throttled. Expected available in 13 seconds." */
export function pandadocLimitIn({ status, body }: HttpAnswer): ReportedLimit | null {
  if (status !== 429) return null;
  const seconds = /available in (\d{1,6}) second/i.exec(detailOf(body))?.[1];
  return { retryAfterMs: seconds === undefined ? null : Number(seconds) * 1000 };
}

function detailOf(body: Uint8Array): string {
  try {
    return throttled.safeParse(JSON.parse(Buffer.from(body).toString())).data?.detail ?? '';
  } catch {
    return '';
  }
}
