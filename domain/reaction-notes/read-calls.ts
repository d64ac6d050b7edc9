import { isObject } from '#domain/json/json-data.ts';
import type { FaultList } from '#domain/reaction-notes/fault-list.ts';
import type { ReactionCall, ReactionFault } from '#domain/reaction-notes/reaction-note.ts';
import type { CallCheck, ReactionChecks, WrittenReaction } from '#domain/reaction-notes/written-reaction.ts';

/** The maximum number of calls of one reaction. */
const maxCalls = 10;

/** Reports an error at a place of the frontmatter. */
export type AddFault = (place: readonly (string | number)[], message: string) => void;

/** Where the errors of calls go; `template` checks every text within a value. */
type CallFaults = Readonly<{
  template: (value: unknown, place: readonly (string | number)[]) => void;
  add: AddFault;
  faults: FaultList;
}>;

/** Reads `do`: a list of objects with one key each, the operation, whose value is its input. */
export function readCalls(
  { values }: WrittenReaction,
  checks: Pick<ReactionChecks, 'call'>,
  { template, add, faults }: CallFaults,
): readonly ReactionCall[] {
  const given = values['do'] ?? [];
  if (!Array.isArray(given) || given.length > maxCalls) {
    add(['do'], Array.isArray(given) ? `\`do\` may have ${maxCalls} steps at most.` : form);
    return [];
  }
  const calls: ReactionCall[] = [];
  for (const [index, step] of given.entries()) {
    if (faults.isFull) break;
    const [entry, another] = isObject(step) ? Object.entries(step) : [];
    if (entry === undefined || another !== undefined) {
      add(['do', index], form);
      continue;
    }
    const [name, input] = [entry[0], entry[1] ?? {}];
    const check = checks.call(name, isObject(input) ? input : {});
    if (check.operation === null) add(['do', index], unknownOperation(name, check));
    else if (!isObject(input)) add(['do', index, name], `The input of \`${name.slice(0, 100)}\` must be an object.`);
    else {
      for (const { place, message } of check.errors) add(['do', index, name, ...place], message);
      template(input, ['do', index, name]);
      const [service = '', ...rest] = check.operation.split('.');
      calls.push({ service, name: rest.join('.'), input });
    }
  }
  return calls;
}

const form = '`do` must be a list such as `- tracker.issues.create: { title: "…" }`.';

function unknownOperation(name: string, { nearest }: CallCheck): string {
  const hint = nearest === null ? '.' : `; did you mean \`${nearest}\`?`;
  return `There is no operation \`${name.slice(0, 100)}\`${hint}`;
}

/** How texts are checked as templates, and where their errors go. */
type TemplateFaults = Readonly<{
  check: (text: string) => ReactionFault | null;
  add: AddFault;
  faults: FaultList;
}>;

/** Checks every string within a value as a template. */
export function checkTemplates(value: unknown, place: readonly (string | number)[], to: TemplateFaults): void {
  if (to.faults.isFull) return;
  if (typeof value === 'string') {
    const found = to.check(value);
    if (found !== null) to.add(place, found.message);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkTemplates(item, [...place, index], to);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) checkTemplates(member, [...place, key], to);
  }
}
