import { withOwnNames } from '#adapters/services/aliases.ts';
import { checkInput, maxErrors } from '#adapters/services/input-errors.ts';
import type { Operation } from '#adapters/services/operation-table.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import { isTooDeep, maxDepth } from '#domain/json/depth.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import { failed, type Outcome, refusedInput } from '#domain/operations/outcome.ts';
import { illFormedPlaces } from '#domain/shared/plain-text.ts';

/** Validates an input against its row's schema; the failure lists every error. */
export function checked(operation: Operation, input: unknown): Outcome<Inputs> {
  if (isTooDeep(input)) return failed('invalid_input', `The input is nested more than ${maxDepth} levels deep.`);
  const broken = illFormedPlaces(input).slice(0, maxErrors).map(illFormed);
  if (broken.length > 0) return refusedInput(broken);
  const { aliases } = operation.options;
  const given = input ?? {};
  const named = aliases === undefined ? { input: given, errors: [] } : withOwnNames(aliases, given);
  const result = checkInput(operation.input, named.input);
  const errors = [...named.errors, ...(result.ok ? [] : result.errors)];
  return result.ok && errors.length === 0 ? { ok: true, data: result.value } : refusedInput(errors);
}

function illFormed(path: readonly string[]): InputError {
  return { path, message: `${quoted(path.join('.'))} must be well-formed Unicode: it has half of a surrogate pair.` };
}
