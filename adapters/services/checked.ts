import type { z } from 'zod';
import type { Operation } from '#adapters/services/operation-table.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { isTooDeep, mostLevels } from '#domain/shared/depth.ts';

/** The input as the row wants it, or what is wrong with it, every fault at once. */
export function checked(operation: Operation, input: unknown): Outcome<Inputs> {
  if (isTooDeep(input)) return failed('invalid_input', `The input is nested more than ${mostLevels} levels deep.`);
  const parsed = operation.input.safeParse(input ?? {});
  if (parsed.success) return { ok: true, data: parsed.data };
  return failed('invalid_input', `The input does not fit: ${explain(parsed.error)}`, {
    details: parsed.error.issues.map(plainIssue),
  });
}

/** What is wrong, as one sentence with every fault in it. */
export function explain(error: z.ZodError): string {
  return `${error.issues.map((issue) => `${pathOf(issue)}${issue.message}`).join('; ')}.`;
}

function plainIssue(issue: z.core.$ZodIssue): unknown {
  return { path: issue.path.map(String), message: issue.message };
}

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? '' : `\`${issue.path.map(String).join('.')}\` `;
}
