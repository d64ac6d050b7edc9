import { z } from 'zod';
import type { GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import { type PagingWords, paginationOf } from '#adapters/services/suite-crm/details/paging.ts';
import { dataOf, failuresOf, type RecordResult, resultsIn } from '#adapters/services/suite-crm/details/results.ts';
import { explained } from '#adapters/services/suite-crm/neutral/errors.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const envelope = z.record(z.string(), z.unknown());

/** The members under which answers may contain their data. */
const contents = [
  'data',
  'users',
  'org',
  'organization',
  'modules',
  'fields',
  'roles',
  'profiles',
  'tags',
  'watch',
  'Emails',
] as const;

/** Paths that address a single record, which is unwrapped from a list of one. */
const ofOne = /\/\{(?:id|job_id)\}$|\/organization$/;
const batches = ['data', 'tags', 'watch', 'channel_ids'] as const;

/**
 * Converts a successful answer to an outcome: unwraps envelopes, treats an empty 204 as an empty page, and reports a
 * batch record by record.
 */
export function readSuccess(answer: GoodAnswer, words: PagingWords): Outcome {
  const { row, inputs, body } = answer;
  const isRead = row.method === 'GET' || row.effect === 'read';
  if (!isRead) {
    const results = resultsIn(body);
    if (results !== null) return ofResults(results, isBatch(answer));
    return succeeded(body);
  }
  const isOne = row.method === 'GET' && ofOne.test(row.path);
  if (body === null) {
    if (isOne) return failed('not_found', 'The suite CRM has nothing by that id, or you may not see it.');
    return succeeded([], { next: null, hasMore: false });
  }
  const opened = envelope.safeParse(body);
  const key = opened.success ? contents.find((name) => name in opened.data) : undefined;
  if (!opened.success || key === undefined) return succeeded(body);
  const content = opened.data[key];
  if (isOne) return succeeded(Array.isArray(content) ? content[0] : content);
  const info = opened.data['info'];
  if (row.options.page === undefined && info === undefined) return succeeded(content);
  return succeeded(content, paginationOf(info, inputs['page'], words));
}

function isBatch({ row, inputs }: GoodAnswer): boolean {
  return !/\{(?:id|rid|job_id)\}/.test(row.path) && batches.some((name) => Array.isArray(inputs[name]));
}

/**
 * Converts the results of a write: a failure with the first reason when all records failed, else a success with
 * warnings.
 */
function ofResults(results: readonly RecordResult[], isList: boolean): Outcome {
  const rejections = failuresOf(results);
  const first = rejections[0];
  if (first === undefined) {
    const only = results[0];
    return succeeded(isList || only === undefined ? results : dataOf(only));
  }
  if (rejections.length === results.length) {
    const { reason, message } = explained(first);
    const others = results.length === 1 ? '' : ` All ${results.length} records were refused; this is of the first.`;
    return failed(reason, `The suite CRM refused: ${message}${others}`, { details: results });
  }
  const warnings = results.flatMap((result, at) =>
    result.status === 'error'
      ? [`Record ${at + 1} of ${results.length} was refused: ${explained(result).message}`]
      : [],
  );
  return { ok: true, data: results, warnings };
}
