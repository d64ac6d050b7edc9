import { type Page, tagsOf, variableOf } from '#adapters/vault-folder/dql/dql-page.ts';
import { linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';
import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { SizedList } from '#adapters/vault-folder/index/sized-list.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { QueryFailure } from '#domain/notes/vault-failure.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { DqlError, type DqlScope } from '#domain/vault-queries/dql/dql-scope.ts';
import { tasksOf } from '#domain/vault-queries/dql/dql-tasks.ts';
import type { Clause, Query, Source } from '#domain/vault-queries/dql/dql-tree.ts';
import { isTrue, Link, orderOf } from '#domain/vault-queries/dql/dql-values.ts';
import { evaluate } from '#domain/vault-queries/dql/evaluate-dql.ts';
import { readDql } from '#domain/vault-queries/dql/read-dql.ts';
import type { QueryHit } from '#domain/vault-queries/judge-notes.ts';
import { BudgetSpent, WorkBudget } from '#domain/vault-queries/work-budget.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

/** The index that a query searches, and what evaluating it needs; `now` is in Unix ms. */
export type DqlContext = Readonly<{ index: NoteIndex; work: TextWork; now: number }>;

type Row = Readonly<{ path: string; keys: readonly unknown[]; result: unknown }>;

const maxRows = 10_000;

/**
 * Runs a DQL query and returns `[{filename, result}]` as the plugin does: for a TABLE a member for each column, for a
 * LIST its value or null, for a TASK the note's tasks. The failure's `detail` says what is malformed, unsupported or
 * too expensive.
 */
export async function searchByDql(
  text: string,
  context: DqlContext,
): Promise<Result<readonly QueryHit[], QueryFailure>> {
  const read = readDql(text);
  if (!read.ok) return err({ reason: 'query_failed', detail: read.failure });
  try {
    const rows = await rowsOf(read.value, context);
    const hits = new SizedList<QueryHit>();
    const found = limited(sorted(rows, read.value), read.value).map(({ path, result }) => ({ filename: path, result }));
    return hits.add(found) ? ok(hits.members) : err({ reason: 'query_failed', detail: SizedList.message });
  } catch (error) {
    if (error instanceof DqlError || error instanceof BudgetSpent)
      return err({ reason: 'query_failed', detail: error.message });
    if (error instanceof RangeError)
      return err({ reason: 'query_failed', detail: 'The query gives something too large or too deep.' });
    throw error;
  }
}

async function rowsOf(query: Query, { index, work, now }: DqlContext): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const budget = new WorkBudget(1_000_000);
  const slices = new TimeSlices();
  for (const path of index.notePaths()) {
    budget.renew();
    const found = index.textOf(path);
    const text = found instanceof Promise ? await found : found;
    if (text === null) continue;
    const known = index.metadataOf(path, text, work);
    const page: Page = { path, text, metadata: known instanceof Promise ? await known : known };
    const row = rowOf(query, page, { index, now, budget });
    if (row !== null) rows.push(row);
    if (rows.length > maxRows) throw new DqlError(`The query finds more than ${maxRows} notes. Narrow it down.`);
    if (slices.isUsedUp) await slices.next();
  }
  return rows;
}

type PageContext = Readonly<{ index: NoteIndex; now: number; budget: WorkBudget }>;

function rowOf(query: Query, page: Page, context: PageContext): Row | null {
  const sources = clausesOf(query, 'from');
  if (!sources.every(({ source }) => isFrom(source, page, context))) return null;
  const scope = scopeOf(page, context, (name) => variableOf(page, context.index, name));
  const isFound = (within: DqlScope) => clausesOf(query, 'where').every(({ value }) => isTrue(evaluate(value, within)));
  const keysIn = (within: DqlScope) =>
    clausesOf(query, 'sort').flatMap(({ keys }) => keys.map(({ value }) => evaluate(value, within)));
  if (query.form === 'TASK') {
    const tasks = tasksOf(page.text).filter((task) =>
      isFound(
        scopeOf(page, context, (name) => (Object.hasOwn(task, name) ? Reflect.get(task, name) : scope.variable(name))),
      ),
    );
    return tasks.length === 0 ? null : { path: page.path, keys: keysIn(scope), result: tasks };
  }
  if (!isFound(scope)) return null;
  const values = query.fields.map(({ name, value }) => [name, copied(evaluate(value, scope))] as const);
  const result = query.form === 'LIST' ? (values[0]?.[1] ?? null) : Object.fromEntries(values);
  return { path: page.path, keys: keysIn(scope), result };
}

function scopeOf(page: Page, { index, now, budget }: PageContext, variable: (name: string) => unknown): DqlScope {
  return { variable, now, budget, link: (target) => new Link(index.links.resolved(page.path, [target])[0] ?? target) };
}

function isFrom(source: Source, page: Page, context: PageContext): boolean {
  const { links } = context.index;
  switch (source.kind) {
    case 'and':
      return isFrom(source.left, page, context) && isFrom(source.right, page, context);
    case 'or':
      return isFrom(source.left, page, context) || isFrom(source.right, page, context);
    case 'not':
      return !isFrom(source.source, page, context);
    case 'tag':
      return tagsOf(page).some((tag) => tag.toLowerCase() === `#${source.name}`.toLowerCase());
    case 'folder': {
      const folder = source.path.replace(/^\/+/, '');
      const plain = folder.endsWith('/') ? folder.slice(0, -1) : folder;
      return plain === '' || page.path === plain || page.path === `${plain}.md` || page.path.startsWith(`${plain}/`);
    }
    case 'incoming': {
      const [target] = links.resolved('', [source.path]);
      return target !== undefined && links.resolved(page.path, linkTargetsOf(page.text)).includes(target);
    }
    case 'outgoing': {
      const [target] = links.resolved('', [source.path]);
      return target !== undefined && links.resolved(target).includes(page.path);
    }
  }
}

const clausesOf = <Kind extends Clause['kind']>({ clauses }: Query, kind: Kind) =>
  clauses.filter((clause): clause is Extract<Clause, { kind: Kind }> => clause.kind === kind);

function sorted(rows: readonly Row[], query: Query): readonly Row[] {
  const directions = clausesOf(query, 'sort').flatMap(({ keys }) =>
    keys.map(({ isDescending }) => (isDescending ? -1 : 1)),
  );
  const budget = new WorkBudget(10_000_000);
  return directions.length === 0
    ? rows
    : rows.toSorted((a, b) => {
        for (const [index, direction] of directions.entries()) {
          const order = orderOf(a.keys[index], b.keys[index], budget);
          if (order !== 0) return direction * order;
        }
        return 0;
      });
}

function limited(rows: readonly Row[], query: Query): readonly Row[] {
  const counts = clausesOf(query, 'limit').map(({ count }) => count);
  return counts.length === 0 ? rows : rows.slice(0, Math.min(...counts));
}

/** Converts a value to JSON; a `file` object becomes its path. */
function copied(value: unknown): unknown {
  const isFile = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
  return isFile ? Reflect.get(value, 'path') : value;
}
