import { applySteps } from '#test/emulators/tracker/change.ts';
import { invalidDocument, invalidInput } from '#test/emulators/tracker/faults.ts';
import { passes } from '#test/emulators/tracker/filter.ts';
import { type Field, type Literal, type Operation, parseDocument, SyntaxFault } from '#test/emulators/tracker/parse.ts';
import { listQueries, mutations, type RecordKind, recordQueries, types } from '#test/emulators/tracker/types.ts';
import { unkeptFields } from '#test/emulators/tracker/unkept-fields.ts';
import { checkVariables } from '#test/emulators/tracker/variables.ts';
import type { Item, Workspace } from '#test/emulators/tracker/workspace.ts';

type Args = Readonly<Record<string, unknown>>;

/** What an operation came to: its data, and what it costs in complexity points. */
export type Executed = Readonly<{ data: Readonly<Record<string, unknown>>; complexity: number }>;

const pageArgs = ['first', 'after', 'last', 'before', 'includeArchived', 'orderBy', 'filter', 'sort'];
const pageFields = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'];
/** Every object has it, at no cost. */
const typeName = '__typename';
const usualPage = 50;
const largestPage = 250;

/**
 * Reads, checks and carries out a document. What does not fit the schema is refused, and its cost is asked for by `spend`,
 * before anything is done.
 */
export function execute(
  space: Workspace,
  document: Readonly<{ query: string; variables: Args }>,
  spend: (complexity: number) => void,
): Executed {
  const operation = parsed(document.query);
  const variables = checkVariables(operation, document.variables);
  const run = new Execution(space, variables);
  const exact = operation.fields.reduce((sum, field) => sum + run.check(operation.kind, field), 0);
  const complexity = Math.round(exact * 10) / 10;
  spend(complexity);
  const data = Object.fromEntries(operation.fields.map((field) => [field.key, run.root(field)]));
  return { data, complexity };
}

function parsed(text: string): Operation {
  try {
    return parseDocument(text);
  } catch (error) {
    if (error instanceof SyntaxFault) throw invalidDocument(error.message);
    throw error;
  }
}

class Execution {
  readonly #space: Workspace;
  readonly #variables: Args;

  constructor(space: Workspace, variables: Args) {
    this.#space = space;
    this.#variables = variables;
  }

  /** Checks a root field and all below it; its cost in points. */
  check(operation: Operation['kind'], field: Field): number {
    const change = operation === 'mutation' ? mutations[field.name] : undefined;
    if (change !== undefined) {
      this.#checkArgs(field, [...Object.keys(change.args), ...(change.input === null ? [] : ['input'])]);
      return 1 + field.fields.reduce((sum, inner) => sum + this.#checkPayload(change.kind, change.payload, inner), 0);
    }
    const list = operation === 'query' ? listQueries[field.name] : undefined;
    if (list !== undefined) {
      const extra = list === 'User' ? ['includeDisabled'] : [];
      return this.#checkConnection(field, list, extra);
    }
    const kind = operation !== 'query' ? undefined : field.name === 'viewer' ? 'User' : recordQueries[field.name];
    if (kind === undefined) throw unknownField(field.name, operation === 'query' ? 'Query' : 'Mutation');
    this.#checkArgs(field, field.name === 'viewer' ? [] : ['id']);
    return 1 + this.#checkFields(kind, field);
  }

  /** The value of a root field that has been checked. */
  root(field: Field): unknown {
    const change = mutations[field.name];
    if (change !== undefined) return this.#mutate(field);
    const list = listQueries[field.name];
    if (list !== undefined) {
      const args = this.#argsOf(field);
      const items = this.#space.all(list);
      const seen = list === 'User' && args['includeDisabled'] !== true ? items.filter((user) => user['active']) : items;
      return this.#page(list, seen, field);
    }
    if (field.name === 'viewer') return this.#select('User', this.#space.require('User', this.#space.viewerId), field);
    const kind = recordQueries[field.name] ?? 'User';
    return this.#select(kind, this.#space.require(kind, this.#argsOf(field)['id']), field);
  }

  #mutate(field: Field): unknown {
    const facts = mutations[field.name];
    if (facts === undefined) throw unknownField(field.name, 'Mutation');
    const { input, ...args } = this.#argsOf(field);
    const members = typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {};
    const item = applySteps(this.#space, facts, args, members);
    const payload = field.fields.map((inner) => {
      if (inner.name === typeName) return [inner.key, `${facts.kind}Payload`];
      if (inner.name === 'success') return [inner.key, true];
      if (inner.name === 'lastSyncId') return [inner.key, 1];
      if (inner.name === 'entityId') return [inner.key, item?.id ?? null];
      return [inner.key, item === null ? null : this.#select(facts.kind, item, inner)];
    });
    return Object.fromEntries(payload);
  }

  #checkPayload(kind: RecordKind, name: string, field: Field): number {
    if (field.name === typeName) return 0;
    if (field.name === 'success' || field.name === 'lastSyncId' || (field.name === 'entityId' && name === 'entityId')) {
      return 0.1;
    }
    if (field.name !== name || name === 'entityId') throw unknownField(field.name, `${kind} payload`);
    return 1 + this.#checkFields(kind, field);
  }

  #checkFields(kind: RecordKind, field: Field): number {
    if (field.fields.length === 0)
      throw invalidDocument(`Field "${field.name}" of type "${kind}" must have a selection of subfields.`);
    return field.fields.reduce((sum, inner) => sum + this.#checkField(kind, inner), 0);
  }

  #checkField(kind: RecordKind, field: Field): number {
    if (field.name === typeName) return 0;
    const { leaves, objects, connections } = types[kind];
    const connection = connections[field.name];
    if (connection !== undefined) return this.#checkConnection(field, connection, []);
    this.#checkArgs(field, []);
    const object = objects[field.name];
    if (object !== undefined) return 1 + this.#checkFields(object, field);
    if (Object.hasOwn(unkeptFields[kind] ?? {}, field.name)) return field.fields.length === 0 ? 0.1 : 1;
    if (!leaves.includes(field.name)) throw unknownField(field.name, kind);
    if (field.fields.length > 0)
      throw invalidDocument(`Field "${field.name}" must not have a selection since it has no subfields.`);
    return 0.1;
  }

  #checkConnection(field: Field, kind: RecordKind, extraArgs: readonly string[]): number {
    this.#checkArgs(field, [...pageArgs, ...extraArgs]);
    const { first, last } = this.#argsOf(field);
    const size = Number(first ?? last ?? usualPage);
    let cost = 1;
    for (const inner of field.fields) {
      if (inner.name === 'nodes') cost += size * (1 + this.#checkFields(kind, inner));
      else if (inner.name === typeName) continue;
      else if (inner.name === 'pageInfo') cost += 1 + 0.1 * this.#checkPageInfo(inner);
      else throw unknownField(inner.name, `${kind}Connection`);
    }
    return cost;
  }

  #checkPageInfo(field: Field): number {
    for (const { name } of field.fields)
      if (![...pageFields, typeName].includes(name)) throw unknownField(name, 'PageInfo');
    return field.fields.length;
  }

  #checkArgs(field: Field, known: readonly string[]): void {
    for (const name of Object.keys(field.args)) {
      if (!known.includes(name)) throw invalidDocument(`Unknown argument "${name}" on field "${field.name}".`);
    }
    if (known.includes('id') && this.#argsOf(field)['id'] === undefined) {
      throw invalidDocument(
        `Field "${field.name}" argument "id" of type "String!" is required, but it was not provided.`,
      );
    }
  }

  #select(kind: RecordKind, item: Item, field: Field): unknown {
    const { objects, connections } = types[kind];
    return Object.fromEntries(
      field.fields.map((inner) => {
        const { name, key } = inner;
        if (name === typeName) return [key, kind];
        const connection = connections[name];
        if (connection !== undefined) {
          return [key, this.#page(connection, this.#space.connection(kind, item, name), inner)];
        }
        const object = objects[name];
        if (object === undefined) {
          const unkept = unkeptFields[kind];
          return [key, this.#space.leaf(kind, item, name) ?? (unkept === undefined ? null : (unkept[name] ?? null))];
        }
        const related = this.#space.related(kind, item, name);
        return [key, related === null ? null : this.#select(object, related, inner)];
      }),
    );
  }

  #page(kind: RecordKind, items: readonly Item[], field: Field): unknown {
    const { first, after, last, before, includeArchived, orderBy, filter, sort } = this.#argsOf(field);
    if (sort != null) throw invalidInput('Sorting by `sort` is not emulated.');
    if (first != null && last != null) throw invalidInput('Passing both first and last is not supported.');
    const size = Number(first ?? last ?? usualPage);
    if (!(size >= 1 && size <= largestPage)) throw invalidInput(`The page size must be between 1 and ${largestPage}.`);
    const by = orderBy === 'updatedAt' ? 'updatedAt' : 'createdAt';
    const wanted = typeof filter === 'object' && filter !== null ? Object.fromEntries(Object.entries(filter)) : {};
    const all = items
      .filter((item) => includeArchived === true || item['archivedAt'] == null)
      .filter((item) => passes(this.#space, kind, item, wanted))
      .sort((left, right) => right[by].localeCompare(left[by]));
    const from = after == null ? 0 : placeOf(all, after) + 1;
    const to = before == null ? all.length : placeOf(all, before);
    const window = all.slice(from, to);
    const isBackwards = last != null || before != null;
    const shown = isBackwards ? window.slice(Math.max(0, window.length - size)) : window.slice(0, size);
    const start = shown[0] === undefined ? from : all.indexOf(shown[0]);
    const info: Args = {
      hasNextPage: start + shown.length < all.length,
      hasPreviousPage: start > 0,
      startCursor: shown[0]?.id ?? null,
      endCursor: shown.at(-1)?.id ?? null,
    };
    return Object.fromEntries(
      field.fields.map((inner) => {
        const { name, key, fields } = inner;
        if (name === typeName) return [key, `${kind}Connection`];
        if (name === 'nodes') return [key, shown.map((item) => this.#select(kind, item, inner))];
        return [
          key,
          Object.fromEntries(fields.map((one) => [one.key, one.name === typeName ? 'PageInfo' : info[one.name]])),
        ];
      }),
    );
  }

  #argsOf(field: Field): Args {
    return this.#filled(field.args);
  }

  #filled(members: Readonly<Record<string, Literal>>): Args {
    const filled = Object.entries(members).map(([name, literal]) => [name, this.#valueOf(literal)] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }

  #valueOf(literal: Literal): unknown {
    if (literal.kind === 'variable') return this.#variables[literal.name];
    if (literal.kind === 'scalar') return literal.value;
    if (literal.kind === 'list') return literal.items.map((item) => this.#valueOf(item));
    return this.#filled(literal.members);
  }
}

function placeOf(items: readonly Item[], cursor: unknown): number {
  const place = items.findIndex((item) => item.id === cursor);
  if (place === -1) throw invalidInput('The cursor is not valid.');
  return place;
}

const unknownField = (name: string, type: string) => invalidDocument(`Cannot query field "${name}" on type "${type}".`);
