import type { Page } from '#adapters/vault-folder/dql/dql-page.ts';
import { DqlPages } from '#adapters/vault-folder/dql/dql-pages.ts';
import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { SizedList } from '#adapters/vault-folder/index/sized-list.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { QueryFailure } from '#domain/notes/vault-failure.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { DqlError, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Query, Source } from '#domain/vault-queries/dql/dql-tree.ts';
import { kindOf, printedOf, writtenText } from '#domain/vault-queries/dql/dql-values.ts';
import { Link } from '#domain/vault-queries/dql/link.ts';
import { readDql } from '#domain/vault-queries/dql/read-dql.ts';
import { type InScope, type QueryRow, type Rows, runClauses, valuesOf } from '#domain/vault-queries/dql/run-clauses.ts';
import type { QueryHit } from '#domain/vault-queries/judge-notes.ts';
import { BudgetSpent, WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** The index that a query searches, and what evaluating it needs; `now` is in Unix ms. */
export type DqlContext = Readonly<{ index: NoteIndex; work: TextWork; now: number }>;

const maxHits = 10_000;

/**
 * Runs a DQL query and returns `[{filename, result}]` as the plugin does: for a TABLE a member for each column, for a
 * LIST its value or null, for a TASK the note's tasks, for a CALENDAR the day. The `filename` of a group is its key. The
 * failure's `detail` says what is malformed, unsupported or too expensive.
 */
export async function searchByDql(
  text: string,
  context: DqlContext,
): Promise<Result<readonly QueryHit[], QueryFailure>> {
  const read = readDql(text);
  if (!read.ok) return err({ reason: 'query_failed', detail: read.failure });
  try {
    const needs = {
      items: read.value.form === 'TASK' || /tasks|lists/.test(text),
      links: text.includes('outlinks'),
    };
    const pages = new DqlPages(context.index, context.work, context.now, needs);
    const inScope: InScope = (fields, run) => pages.inScope(fields, run);
    const rows = bounded(runClauses(rowsOf(read.value, context.index, pages), read.value.clauses, inScope));
    const hits = new SizedList<QueryHit>();
    const found = read.value.form === 'TASK' ? await tasksOf(rows) : await hitsOf(read.value, rows, inScope);
    return hits.add(found) ? ok(hits.members) : err({ reason: 'query_failed', detail: SizedList.message });
  } catch (error) {
    if (error instanceof DqlError || error instanceof RowError || error instanceof BudgetSpent)
      return err({ reason: 'query_failed', detail: error.message });
    if (error instanceof RangeError)
      return err({ reason: 'query_failed', detail: 'The query gives something too large or too deep.' });
    throw error;
  }
}

/** The rows that a query begins with: the notes of its source, or their tasks. */
async function* rowsOf({ source, form }: Query, index: NoteIndex, pages: DqlPages): Rows {
  for (const path of index.notePaths()) {
    const page = await pages.read(path);
    if (page === null || (source !== null && !isFrom(source, page, index))) continue;
    if (form !== 'TASK') yield { path, fields: page.fields };
    else for (const fields of page.tasks()) yield { path, fields };
  }
}

async function* bounded(rows: Rows): Rows {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > maxHits) throw new DqlError(`The query finds more than ${maxHits} rows. Narrow it down.`);
    yield row;
  }
}

function isFrom(source: Source, page: Page, index: NoteIndex): boolean {
  const { links } = index;
  switch (source.kind) {
    case 'and':
      return isFrom(source.left, page, index) && isFrom(source.right, page, index);
    case 'or':
      return isFrom(source.left, page, index) || isFrom(source.right, page, index);
    case 'not':
      return !isFrom(source.source, page, index);
    case 'tag':
      return page.tags.some((tag) => tag.toLowerCase() === `#${source.name}`.toLowerCase());
    case 'folder': {
      const folder = source.path.replace(/^\/+/, '');
      const plain = folder.endsWith('/') ? folder.slice(0, -1) : folder;
      return plain === '' || page.path === plain || page.path === `${plain}.md` || page.path.startsWith(`${plain}/`);
    }
    case 'incoming': {
      const [target] = links.resolved('', [source.path]);
      return target === undefined
        ? links.targetsOf(page.path).some((to) => to.toLowerCase() === source.path.toLowerCase())
        : links.resolved(page.path).includes(target);
    }
    case 'outgoing': {
      const [target] = links.resolved('', [source.path]);
      return target !== undefined && links.resolved(target).includes(page.path);
    }
  }
}

async function hitsOf({ form, fields }: Query, rows: Rows, inScope: InScope): Promise<readonly QueryHit[]> {
  const hits: QueryHit[] = [];
  const values = fields.map(({ value }) => value);
  const budget = new WorkBudget(20_000_000);
  for await (const { row, values: found } of valuesOf(rows, values, inScope)) {
    const filename = nameOf(row, budget);
    const [first] = found;
    if (form === 'CALENDAR' && !['date', 'null'].includes(kindOf(first))) {
      throw new DqlError(`CALENDAR takes a date; ${filename} has a value of type ${kindOf(first)}.`);
    }
    const columns = fields.map(({ name }, at) => [name, printedOf(found[at], budget)] as const);
    hits.push({ filename, result: form === 'TABLE' ? Object.fromEntries(columns) : printedOf(first, budget) });
  }
  return hits;
}

/** The path of a note, or the key of a group: that of a link is the path that it leads to. */
function nameOf(row: QueryRow, budget: WorkBudget): string {
  if ('path' in row) return row.path;
  return row.key instanceof Link ? row.key.place : writtenText(row.key, budget);
}

/** Tasks in their order; those of one note that follow each other are one hit. */
async function tasksOf(rows: Rows): Promise<readonly QueryHit[]> {
  const budget = new WorkBudget(20_000_000);
  const hits: { filename: string; result: unknown[] }[] = [];
  for await (const row of rows) {
    const filename = nameOf(row, budget);
    const last = hits.at(-1);
    if (!('path' in row)) hits.push({ filename, result: row.rows.map(({ fields }) => printedOf(fields, budget)) });
    else if (last?.filename === filename) last.result.push(printedOf(row.fields, budget));
    else hits.push({ filename, result: [printedOf(row.fields, budget)] });
  }
  return hits;
}
