import { z } from 'zod';
import { echoed } from '#domain/operations/input-error.ts';
import { own } from '#domain/shared/own.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  date: 'a day like 2026-01-31',
  datetime: 'a time like 2026-01-31T10:20:00Z',
  email: 'an e-mail address',
  url: 'an address such as https://example.com',
  uuid: 'a UUID',
  base64: 'base64',
};

/** The name of a type for use in a sentence. */
export const typeName = (type: string): string => own(typeNames, type) ?? type;

/** Describes a value in a sentence: its type; short values literally. */
export function describedValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the text "${echoed(value)}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'an object';
}

/** Whether a required value is missing. */
export const isMissing = ({ input }: RawIssue): boolean => input === undefined;

/** Describes what a value must be, as the end of a sentence that starts with its name. */
export function expectation(issue: Issue, raw: RawIssue): string {
  if (isMissing(raw)) return missing(issue, raw);
  const given = describedValue(raw.input);
  if (issue.code === 'invalid_type') return `must be ${wanted(issue.expected, raw)}, not ${given}`;
  if (issue.code === 'too_big' || issue.code === 'too_small') return bound(issue, raw.input);
  if (issue.code === 'invalid_format') return `must ${format(issue)}, not ${given}`;
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}, not ${given}`;
  return issue.code === 'invalid_key' ? 'has a name that is not taken' : `does not take ${given}`;
}

function missing(issue: Issue, raw: RawIssue): string {
  if (issue.code === 'invalid_type') return `is missing: it has to be ${wanted(issue.expected, raw)}`;
  if (issue.code !== 'invalid_value') return 'is missing';
  return `is missing: it has to be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
}

/** Names the expected type; "whole number" where zod only says "number". */
function wanted(expected: string, { inst }: RawIssue): string {
  return expected === 'number' && inst instanceof z.ZodNumberFormat ? 'a whole number' : typeName(expected);
}

function bound(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, input: unknown): string {
  const isMost = issue.code === 'too_big';
  const limit = Number(isMost ? issue.maximum : issue.minimum);
  const side = isMost ? 'at most' : 'at least';
  if (Array.isArray(input)) {
    return `must have ${side} ${limit} ${limit === 1 ? 'item' : 'items'}, not ${input.length}`;
  }
  if (typeof input !== 'string') return `must be ${side} ${limit}, not ${describedValue(input)}`;
  return limit === 1 && !isMost ? 'must not be empty' : `must have ${side} ${limit} characters, not ${input.length}`;
}

function format(issue: z.core.$ZodIssueInvalidStringFormat): string {
  const known = own(formats, issue.format);
  if (known !== undefined) return `be ${known}`;
  return issue.pattern === undefined ? `be a valid ${issue.format}` : `match ${issue.pattern}`;
}
