import { withOwnNames } from '#adapters/services/aliases.ts';
import { checkInput } from '#adapters/services/input-errors.ts';
import type { Operation } from '#adapters/services/operation-table.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import { failed, type Outcome, refusedInput } from '#domain/operations/outcome.ts';
import { isTooDeep, mostLevels } from '#domain/shared/depth.ts';

/** The input as the row wants it, or what is wrong with it, every error at once. */
export function checked(operation: Operation, input: unknown): Outcome<Inputs> {
  if (isTooDeep(input)) return failed('invalid_input', `The input is nested more than ${mostLevels} levels deep.`);
  const named = withOwnNames(operation.options.aliases, input ?? {});
  const result = checkInput(operation.input, named.input);
  const errors = [...named.errors, ...(result.ok ? [] : result.errors)];
  return result.ok && errors.length === 0 ? { ok: true, data: result.value } : refusedInput(errors);
}
