import { z } from 'zod';
import { isObject } from '#domain/json/json-data.ts';

const result = z.object({
  code: z.string(),
  status: z.enum(['success', 'error']),
  message: z.string().optional(),
  details: z.unknown().optional(),
  action: z.string().optional(),
  duplicate_field: z.string().nullish(),
});

const envelope = z.object({
  data: z.array(result).min(1).optional(),
  tags: z.array(result).min(1).optional(),
  watch: z.array(result).min(1).optional(),
});

/** The provider's result for one record of a write. */
export type RecordResult = Readonly<{
  code: string;
  status?: string | undefined;
  message?: string | undefined;
  details?: unknown;
  action?: string | undefined;
  duplicate_field?: string | null | undefined;
}>;

/** The results of a write, record by record; null for an answer without results. */
export function resultsIn(body: unknown): readonly RecordResult[] | null {
  const parsed = envelope.safeParse(body);
  return parsed.success ? (parsed.data.data ?? parsed.data.tags ?? parsed.data.watch ?? null) : null;
}

/** The results of records that failed. */
export function failuresOf(results: readonly RecordResult[]): readonly RecordResult[] {
  return results.filter(({ status }) => status === 'error');
}

/** Converts one result to the data of an outcome: its details, and what an upsert did. */
export function dataOf({ code, details, action, duplicate_field: field }: RecordResult): unknown {
  const known = isObject(details) ? details : {};
  if (Object.keys(known).length === 0) return { code };
  return {
    ...known,
    ...(action === undefined ? {} : { action }),
    ...(field === undefined || field === null ? {} : { duplicate_field: field }),
  };
}
