import type { ReactionCall, ReactionFault } from '#domain/reaction-notes/reaction-note.ts';
import type { ReactionChecks, WrittenReaction } from '#domain/reaction-notes/written-reaction.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

/** The maximum number of calls of one reaction. */
const maxCalls = 10;

/** Reads `do`: a list of objects with one key each, the operation, whose value is its input. */
export function readCalls(
  { values, lineOf }: WrittenReaction,
  names: readonly string[],
  checks: ReactionChecks,
): Readonly<{ calls: readonly ReactionCall[]; faults: readonly ReactionFault[] }> {
  const given = values['do'] ?? [];
  const fault = (place: readonly (string | number)[], message: string) => ({ line: lineOf(['do', ...place]), message });
  if (!Array.isArray(given)) return { calls: [], faults: [fault([], form)] };
  if (given.length > maxCalls) return { calls: [], faults: [fault([], `\`do\` may have ${maxCalls} steps at most.`)] };
  const calls: ReactionCall[] = [];
  const faults: ReactionFault[] = [];
  for (const [index, step] of given.entries()) {
    const [entry, another] = isObject(step) ? Object.entries(step) : [];
    if (entry === undefined || another !== undefined) {
      faults.push(fault([index], form));
      continue;
    }
    const [operation, input = {}] = entry;
    if (!checks.operations.includes(operation)) faults.push(fault([index], unknownOperation(operation, checks)));
    else if (!isObject(input ?? {}))
      faults.push(fault([index, operation], `The input of \`${operation}\` must be an object.`));
    else {
      const fields = isObject(input) ? input : {};
      const [service = '', ...rest] = checks.chosen(operation, fields).split('.');
      const call = { service, name: rest.join('.'), input: fields };
      const errors = checks.input(operation, fields);
      faults.push(...errors.map(({ place, message }) => fault([index, operation, ...place], message)));
      faults.push(...templateFaults(call.input, [index, operation], (text) => checks.template(text, names), fault));
      calls.push(call);
    }
  }
  return { calls, faults };
}

const form = '`do` must be a list such as `- tracker.issues.create: { title: "…" }`.';

function unknownOperation(operation: string, { operations }: ReactionChecks): string {
  const near = nearestName(operation, operations);
  return `There is no operation \`${operation}\`${near === null ? '.' : `; did you mean \`${near}\`?`}`;
}

type Fault = (place: readonly (string | number)[], message: string) => ReactionFault;

/** Checks every string within a value as a template. */
export function templateFaults(
  value: unknown,
  place: readonly (string | number)[],
  check: (text: string) => ReactionFault | null,
  fault: Fault,
): readonly ReactionFault[] {
  if (typeof value === 'string') {
    const found = check(value);
    return found === null ? [] : [fault(place, found.message)];
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => templateFaults(item, [...place, at], check, fault));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => templateFaults(member, [...place, key], check, fault));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
