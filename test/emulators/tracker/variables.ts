import { invalidDocument } from '#test/emulators/tracker/faults.ts';
import type { Literal, Operation } from '#test/emulators/tracker/parse.ts';
import { mutations } from '#test/emulators/tracker/types.ts';

type Values = Readonly<Record<string, unknown>>;

/** The variables of an operation, each of its declared type; what is missing, unknown or of another type is refused. */
export function checkVariables(operation: Operation, given: Values): Values {
  const declared = new Map(operation.variables.map(({ name, type }) => [name, type]));
  const stray = Object.keys(given).find((name) => !declared.has(name));
  if (stray !== undefined) throw invalidDocument(`Variable "$${stray}" is not defined by the operation.`);
  const values: Record<string, unknown> = {};
  for (const { name, type, fallback } of operation.variables) {
    const value = given[name] === undefined ? plain(fallback) : given[name];
    if (value === undefined) {
      if (type.endsWith('!')) throw invalidDocument(`Variable "$${name}" of required type "${type}" was not provided.`);
      continue;
    }
    if (!fits(type, value)) throw invalidDocument(`Variable "$${name}" got invalid value; expected type "${type}".`);
    values[name] = value;
  }
  for (const field of operation.fields) checkInput(field.name, field.args['input'], { declared, values });
  return values;
}

/** The members of a mutation's `input`, written out or a variable: known, of their type, and all that are required. */
function checkInput(
  mutation: string,
  input: Literal | undefined,
  { declared, values }: Readonly<{ declared: ReadonlyMap<string, string>; values: Values }>,
): void {
  const known = mutations[mutation]?.input;
  if (known == null) return;
  const whole = input?.kind === 'variable' ? values[input.name] : undefined;
  if (input?.kind === 'variable' && typeof whole === 'object' && whole !== null) {
    const given = Object.entries(whole);
    for (const [name, value] of given) {
      const type = known[name];
      if (type === undefined) throw undefinedMember(name, mutation);
      if (!fits(type, value)) throw invalidDocument(`Variable "$${input.name}" got invalid value at "${name}".`);
    }
    requireMembers(known, new Set(given.map(([name]) => name)));
    return;
  }
  if (input?.kind !== 'object') throw invalidDocument(`Field "${mutation}" argument "input" is required.`);
  for (const [name, literal] of Object.entries(input.members)) {
    const type = known[name];
    if (type === undefined) throw undefinedMember(name, mutation);
    const given = literal.kind === 'variable' ? declared.get(literal.name) : type;
    if (given === undefined) throw invalidDocument(`Variable "${name}" is not defined by the operation.`);
    if (given !== type && given !== `${type}!`) {
      throw invalidDocument(`Variable "$${name}" of type "${given}" used in position expecting type "${type}".`);
    }
  }
  requireMembers(known, new Set(Object.keys(input.members)));
}

const undefinedMember = (name: string, mutation: string) =>
  invalidDocument(`Field "${name}" is not defined by the input of "${mutation}".`);

function requireMembers(known: Readonly<Record<string, string>>, given: ReadonlySet<string>): void {
  const lacking = Object.entries(known).find(([name, type]) => type.endsWith('!') && !given.has(name));
  if (lacking !== undefined)
    throw invalidDocument(`Field "${lacking[0]}" of required type "${lacking[1]}" was not provided.`);
}

function fits(type: string, value: unknown): boolean {
  if (type.endsWith('!')) return value !== null && fits(type.slice(0, -1), value);
  if (value === null) return true;
  if (type.startsWith('[')) return Array.isArray(value) && value.every((item) => fits(type.slice(1, -1), item));
  if (type === 'String' || type === 'ID') return typeof value === 'string';
  if (type === 'Int') return Number.isInteger(value);
  if (type === 'Float') return typeof value === 'number';
  if (type === 'Boolean') return typeof value === 'boolean';
  if (type === 'DateTime' || type === 'TimelessDate')
    return typeof value === 'string' && !Number.isNaN(Date.parse(value));
  if (type === 'PaginationOrderBy') return value === 'createdAt' || value === 'updatedAt';
  if (type === 'IssueRelationType')
    return ['blocks', 'duplicate', 'related', 'similar'].some((relation) => relation === value);
  if (type === 'InitiativeStatus')
    return ['Proposed', 'Planned', 'Active', 'Completed', 'Canceled'].some((status) => status === value);
  return typeof value === 'object' && !Array.isArray(value);
}

function plain(literal: Literal | null): unknown {
  if (literal === null || literal.kind === 'variable') return undefined;
  if (literal.kind === 'scalar') return literal.value;
  if (literal.kind === 'list') return literal.items.map(plain);
  return Object.fromEntries(Object.entries(literal.members).map(([name, member]) => [name, plain(member)]));
}
