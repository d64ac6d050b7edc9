import { z } from 'zod';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import { invalidInput, type Outcome } from '#domain/operations/outcome.ts';
import { listed } from '#domain/text/listed.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

const record = z.record(z.string(), z.unknown());
/** The maximum number of unknown names in a warning. */
const maxReported = 10;

const documented = z.looseObject({ items: z.looseObject({ properties: record }) });

/**
 * Reduces a list's items to the named fields. A name that no item has, and that is not documented either, is reported
 * in a warning; when none of the names is known the request is rejected, since its items would be empty.
 */
export function projected(output: OperationOutput | undefined, outcome: Outcome, fields: unknown): Outcome {
  if (!outcome.ok || !Array.isArray(fields) || !Array.isArray(outcome.data)) return outcome;
  const items = outcome.data.map((item) => record.safeParse(item).data ?? null);
  const names = new Set(fields.map(String));
  const known = knownNames(output, items);
  const unknown = items.length === 0 ? [] : [...names].filter((name) => !known.includes(name));
  const errors = unknown.slice(0, maxReported).map((name) => unknownField(name, known));
  if (errors.length > 0 && unknown.length === names.size) {
    return invalidInput(errors);
  }
  const pick = (item: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
  const data = outcome.data.map((item: unknown, index) => {
    const members = items[index];
    return members == null ? item : pick(members);
  });
  const warnings = [...(outcome.warnings ?? []), ...errors.map(({ message }) => message)];
  return { ...outcome, data, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The fields that the items have, and those that are documented. */
function knownNames(output: OperationOutput | undefined, items: readonly (Readonly<Record<string, unknown>> | null)[]) {
  const named = documented.safeParse(output?.dataSchema).data?.items.properties ?? {};
  return [...new Set([...Object.keys(named), ...items.flatMap((item) => Object.keys(item ?? {}))])];
}

function unknownField(name: string, known: readonly string[]): InputError {
  const near = nearestName(name, known);
  const hint = near === null ? '.' : `; did you mean ${quoted(near)}?`;
  const message = `No item has the field ${quoted(name)}${hint} There are ${listed(known.map(quoted))}.`;
  return { path: ['fields'], message, known, nearest: near };
}
