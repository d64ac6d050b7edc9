import { DqlError, type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Clause, Expression, NamedExpression } from '#domain/vault-queries/dql/dql-tree.ts';
import { isTrue, kindOf, orderOf } from '#domain/vault-queries/dql/dql-values.ts';
import { evaluate } from '#domain/vault-queries/dql/evaluate-dql.ts';
import { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** A row of a query: a note, a task, or a group of rows with their key. */
export type QueryRow = Readonly<
  { fields: LazyFields } & ({ path: string } | { key: unknown; rows: readonly QueryRow[] })
>;

/** Evaluates something in the scope of a row’s fields, with the work that one row is allowed. */
export type InScope = <Value>(fields: LazyFields, run: (scope: DqlScope) => Value) => Promise<Value>;

/** Rows, one after another: a clause takes them as they come, and holds all of them only if it has to. */
export type Rows = AsyncIterable<QueryRow>;

/** The most rows that a query may hold at once. */
const maxRows = 200_000;

/** Runs the clauses of a query over rows, in their order. */
export function runClauses(rows: Rows, clauses: readonly Clause[], inScope: InScope): Rows {
  return clauses.reduce((current, clause) => runClause(current, clause, inScope), rows);
}

async function* runClause(rows: Rows, clause: Clause, inScope: InScope): Rows {
  switch (clause.kind) {
    case 'where':
      for await (const { row, values } of valuesOf(rows, [clause.value], inScope)) if (isTrue(values[0])) yield row;
      return;
    case 'sort': {
      const expressions = clause.keys.map(({ value }) => value);
      const signs = clause.keys.map(({ isDescending }) => (isDescending ? -1 : 1));
      for (const { row } of sortedBy(await allOf(valuesOf(rows, expressions, inScope)), signs)) yield row;
      return;
    }
    case 'limit':
      yield* limited(rows, await limitOf(clause.count, inScope));
      return;
    case 'flatten':
      for await (const { row, values } of valuesOf(rows, [clause.by.value], inScope)) {
        yield* flattened(row, clause.by.name, values[0]);
      }
      return;
    case 'group':
      yield* grouped(sortedBy(await allOf(valuesOf(rows, [clause.by.value], inScope)), [1]), clause.by);
  }
}

type Valued = Readonly<{ row: QueryRow; values: readonly unknown[] }>;

/**
 * Evaluates expressions for each row. Rows for which this fails are left out, as the language has it; if it fails for
 * all, so does the query.
 */
export async function* valuesOf(
  rows: Rows,
  expressions: readonly Expression[],
  inScope: InScope,
): AsyncIterable<Valued> {
  let failure: string | null = null;
  let isAny = false;
  for await (const row of rows) {
    let values: readonly unknown[];
    try {
      values = await inScope(row.fields, (scope) => expressions.map((value) => evaluate(value, scope)));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      failure ??= error.message;
      continue;
    }
    isAny = true;
    yield { row, values };
  }
  if (failure !== null && !isAny) throw new DqlError(`The query fails for every row. ${failure}`);
}

async function allOf(valued: AsyncIterable<Valued>): Promise<readonly Valued[]> {
  const all: Valued[] = [];
  for await (const one of valued) {
    all.push(one);
    if (all.length > maxRows) throw new DqlError(`The query has more than ${maxRows} rows. Narrow it down.`);
  }
  return all;
}

async function* limited(rows: Rows, count: number): Rows {
  let left = count;
  if (left < 1) return;
  for await (const row of rows) {
    yield row;
    left -= 1;
    if (left < 1) return;
  }
}

function sortedBy(rows: readonly Valued[], signs: readonly number[]): readonly Valued[] {
  const budget = new WorkBudget(20_000_000);
  return rows.toSorted((a, b) => {
    for (const [index, sign] of signs.entries()) {
      const order = orderOf(a.values[index], b.values[index], budget);
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

async function limitOf(count: Expression, inScope: InScope): Promise<number> {
  const none = new LazyFields(
    () => [],
    () => null,
    () => null,
  );
  const limit = await inScope(none, (scope) => evaluate(count, scope));
  if (typeof limit === 'number') return Math.max(0, limit);
  throw new DqlError(`LIMIT takes a number, not a value of type ${kindOf(limit)}.`);
}

function flattened(row: QueryRow, name: string, value: unknown): readonly QueryRow[] {
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  return members.map((member) => ({ ...row, fields: row.fields.with(new Map([[name, member]])) }));
}

/** Puts rows with equal keys, which follow each other, into groups. */
function grouped(rows: readonly Valued[], { name }: NamedExpression): readonly QueryRow[] {
  const budget = new WorkBudget(20_000_000);
  const groups: { key: unknown; rows: QueryRow[] }[] = [];
  for (const { row, values } of rows) {
    const last = groups.at(-1);
    const [key] = values;
    if (last !== undefined && orderOf(last.key, key, budget) === 0) last.rows.push(row);
    else groups.push({ key, rows: [row] });
  }
  return groups.map(({ key, rows: members }) => {
    const values = new Map<string, unknown>([[name, key]]);
    values.set('key', key);
    values.set(
      'rows',
      members.map(({ fields }) => fields),
    );
    const fields = new LazyFields(
      () => [...values.keys()],
      (field) => values.get(field),
      () => ({ key, rows: values.get('rows') }),
    );
    return { fields, key, rows: members };
  });
}
