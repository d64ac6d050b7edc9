import { z } from 'zod';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import { invalidInput, type Outcome } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

const record = z.record(z.string(), z.unknown());
/** The maximum number of unknown names in a warning. */
const maxReported = 10;

const documented = z.looseObject({ items: z.looseObject({ properties: record }) });

/**
 * Reduces a list's items to the named fields; `state.name` is the member of a record inside an item. A name that no
 * item has, and that is not documented either, is reported in a warning; when none of the names is known the request is
 * rejected, since its items would be empty.
 */
export function projected(output: OperationOutput | undefined, outcome: Outcome, fields: unknown): Outcome {
  if (!outcome.ok || !Array.isArray(fields) || !Array.isArray(outcome.data)) return outcome;
  const { data: list } = outcome;
  const names = [...new Set(fields.map(String))];
  const properties = documented.safeParse(output?.dataSchema).data?.items.properties ?? {};
  const isKnown = (name: string) =>
    isDocumented(properties, name.split('.')) || list.some((item) => has(item, name.split('.')));
  const unknown = list.length === 0 ? [] : names.filter((name) => !isKnown(name));
  const known = [...new Set([...Object.keys(properties), ...list.flatMap((item) => Object.keys(membersOf(item)))])];
  const errors = unknown.slice(0, maxReported).map((name) => unknownField(name, known));
  if (errors.length > 0 && unknown.length === names.length) {
    return invalidInput(errors);
  }
  const paths = names.map((name) => name.split('.'));
  const data = list.map((item: unknown) => picked(item, paths));
  const warnings = [...(outcome.warnings ?? []), ...errors.map(({ message }) => message)];
  return { ...outcome, data, ...(warnings.length === 0 ? {} : { warnings }) };
}

const membersOf = (value: unknown) => record.safeParse(value).data ?? {};

/** Whether a value has a member at a path; one of a list, if an item of it has. */
function has(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => has(item, [first, ...rest]));
  const members = membersOf(value);
  return Object.hasOwn(members, first) && has(members[first], rest);
}

/** Whether a schema's properties have a member at a path. */
function isDocumented(
  properties: Readonly<Record<string, unknown>>,
  [first = '', ...rest]: readonly string[],
): boolean {
  if (!Object.hasOwn(properties, first)) return false;
  if (rest.length === 0) return true;
  const { items, anyOf, properties: inner } = membersOf(own(properties, first));
  return [{ properties: inner }, items, ...(Array.isArray(anyOf) ? anyOf : [])].some((schema) =>
    isDocumented(membersOf(membersOf(schema)['properties']), rest),
  );
}

/** The members of a value at these paths; a value that is no record is kept whole. */
function picked(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((item) => picked(item, paths));
  if (!record.safeParse(value).success) return value;
  return Object.fromEntries(
    Object.entries(membersOf(value)).flatMap(([name, member]) => {
      // A name with a point in it may be a member's own.
      const own = paths.filter(([first, ...rest]) => first === name || [first, ...rest].join('.') === name);
      if (own.length === 0) return [];
      const isWhole = own.some((path) => path.length === 1 || path.join('.') === name);
      return [
        [
          name,
          isWhole
            ? member
            : picked(
                member,
                own.map((path) => path.slice(1)),
              ),
        ],
      ];
    }),
  );
}

function unknownField(name: string, known: readonly string[]): InputError {
  const near = nearestName(name, known);
  const hint = near === null ? '.' : `; did you mean ${quoted(near)}?`;
  const message = `No item has the field ${quoted(name)}${hint} There are ${listed(known.map(quoted))}.`;
  return { path: ['fields'], message, known, nearest: near };
}
