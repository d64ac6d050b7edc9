import { z } from 'zod';
import type { ProviderError } from '#adapters/services/definitions/dialect.ts';
import { failuresOf, type RecordResult, resultsIn } from '#adapters/services/suite-crm/details/results.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const errorBody = z.object({
  code: z.string(),
  message: z.string().default(''),
  status: z.string().optional(),
  details: z.record(z.string(), z.unknown()).nullish(),
});

const reasonOfCode: Readonly<Record<string, FailureReason>> = {
  INVALID_TOKEN: 'unauthorized',
  AUTHENTICATION_FAILURE: 'unauthorized',
  // Answered with 401, but a new token would have the same scopes.
  OAUTH_SCOPE_MISMATCH: 'forbidden',
  NO_PERMISSION: 'forbidden',
  AUTHORIZATION_FAILED: 'forbidden',
  PERMISSION_DENIED: 'forbidden',
  NOT_ALLOWED: 'forbidden',
  FEATURE_NOT_SUPPORTED: 'forbidden',
  DUPLICATE_DATA: 'conflict',
  DUPLICATE_LINKING_DATA: 'conflict',
  RECORD_LOCKED: 'conflict',
  RECORD_IN_BLUEPRINT: 'conflict',
  ID_ALREADY_CONVERTED: 'conflict',
  MANDATORY_NOT_FOUND: 'invalid_input',
  INVALID_DATA: 'invalid_input',
  INVALID_MODULE: 'invalid_input',
  INVALID_QUERY: 'invalid_input',
  SYNTAX_ERROR: 'invalid_input',
  REQUIRED_PARAM_MISSING: 'invalid_input',
  EXPECTED_FIELD_MISSING: 'invalid_input',
  EXPECTED_PARAM_MISSING: 'invalid_input',
  DEPENDENT_FIELD_MISSING: 'invalid_input',
  DEPENDENT_MISMATCH: 'invalid_input',
  PATTERN_NOT_MATCHED: 'invalid_input',
  LIMIT_EXCEEDED: 'invalid_input',
  AMBIGUITY_DURING_PROCESSING: 'invalid_input',
  DISCRETE_PAGINATION_LIMIT_EXCEEDED: 'invalid_input',
  EXPIRED_PAGE_TOKEN: 'invalid_input',
  RESOURCE_NOT_FOUND: 'not_found',
  TOO_MANY_REQUESTS: 'rate_limited',
  RATE_LIMIT_EXCEEDED: 'rate_limited',
  INTERNAL_ERROR: 'unavailable',
  SERVICE_UNAVAILABLE: 'unavailable',
};

const hints: Readonly<Record<string, string>> = {
  OAUTH_SCOPE_MISMATCH: 'The connection lacks a scope for this: connect again with more scopes.',
  INVALID_MODULE: 'List the modules to see their API names.',
  INVALID_QUERY: 'List the fields of the module to see their API names.',
  MANDATORY_NOT_FOUND: 'List the fields of the module to see which are mandatory.',
  DUPLICATE_DATA: 'Update the existing record, or use upsert.',
  ID_ALREADY_CONVERTED: 'The lead has been converted before.',
  EXPIRED_PAGE_TOKEN: 'Start again at the first page.',
};

const unknownId = /id given seems to be invalid|record not found|invalid id/i;

/** Converts an error of the provider to a reason and a sentence with its code, the field and the remedy. */
export function explained({
  code,
  message,
  details,
}: RecordResult): Readonly<{ reason: FailureReason; message: string }> {
  const isUnknownId = code === 'INVALID_DATA' && unknownId.test(message ?? '');
  const reason = isUnknownId ? 'not_found' : (own(reasonOfCode, code) ?? 'rejected');
  const place = [...placeIn(details), ...duplicateIn(code, details)];
  const said = [message ?? '', `(${[code, ...place].join(', ')})`].join(' ').trim();
  return { reason, message: [`${said}.`, own(hints, code) ?? ''].join(' ').trim() };
}

/** Parses the first error of an error answer by its `code`, in the body itself or in a record's result. */
export function readError(answer: HttpAnswer, body: unknown): ProviderError | null {
  const results = resultsIn(body);
  const rejection = results === null ? errorOf(body) : failuresOf(results)[0];
  if (rejection === undefined || rejection === null) return null;
  const { reason, message } = explained(rejection);
  const isKnown = own(reasonOfCode, rejection.code) !== undefined || reason === 'not_found';
  return {
    message: `The suite CRM refused: ${message}`,
    details: results ?? { code: rejection.code, details: rejection.details ?? {} },
    // The status decides when the code is unknown, and for 429.
    ...(isKnown && answer.status !== 429 ? { reason } : {}),
  };
}

/** Whether a 2xx answer contains the provider's error body instead of data. */
export function isFailure(_: HttpAnswer, body: unknown): boolean {
  const error = errorOf(body);
  return error !== null && error.status === 'error';
}

function errorOf(body: unknown): RecordResult | null {
  const parsed = errorBody.safeParse(body);
  return parsed.success ? parsed.data : null;
}

/** Where the error is, according to the provider's details: a field, a parameter, a column, a position in the body. */
function placeIn(details: unknown): readonly string[] {
  const parsed = z.record(z.string(), z.unknown()).safeParse(details);
  if (!parsed.success) return [];
  const words = { api_name: 'field', param_name: 'parameter', column_name: 'column', near: 'near', json_path: 'at' };
  return Object.entries(words).flatMap(([key, word]) =>
    typeof parsed.data[key] === 'string' ? [`${word} ${parsed.data[key]}`] : [],
  );
}

const duplicate = z.object({
  id: z.string().optional().catch(undefined),
  duplicate_record: z.object({ id: z.string() }).optional().catch(undefined),
});

/** The record that is there already, if the provider names it. */
function duplicateIn(code: string, details: unknown): readonly string[] {
  const { id, duplicate_record: record } = (code.startsWith('DUPLICATE_') && duplicate.safeParse(details).data) || {};
  const there = record?.id ?? id;
  return there === undefined ? [] : [`existing record ${there}`];
}
