import { z } from 'zod';
import { pagingInLists } from '#adapters/services/requests/page-size.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import {
  boundedCoql,
  coqlError,
  coqlText,
  hasBounds,
  maxCoqlRecords,
} from '#adapters/services/suite-crm/inputs/coql.ts';
import { coqlClauses, criteria, id, module } from '#adapters/services/suite-crm/inputs.ts';
import * as outputs from '#adapters/services/suite-crm/outputs.ts';
import { exportRecipe } from '#adapters/services/suite-crm/recipes/export.ts';
import { unpacked } from '#adapters/services/suite-crm/recipes/unpacked.ts';
import { rows } from '#adapters/services/suite-crm/rows.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const recipe = recipesOver(rows);
const { email, phone, word, fields, sort_by, sort_order, page, per_page, converted } =
  rows['records.search'].input.shape;

const written = z
  .string()
  .min(1)
  .max(10_000)
  .superRefine((text, context) => {
    const error = coqlError(text);
    if (error !== null) context.addIssue({ code: 'custom', message: error });
  });

const resultDetails = z.array(z.object({ details: z.record(z.string(), z.unknown()) })).min(1);

/** Tools that prepare a request or choose between several (TOOL-001), and the unpacked export. */
export const recipes = {
  'records.find': recipe(
    'read',
    'Searches the records of a module, by exactly one of criteria, email, phone and word. For fields of related records, sums and counts use suite_coql_query. API names come from suite_fields_list',
    { module, criteria, email, phone, word, fields, converted, sort_by, sort_order, page, per_page },
    { tool: 'suite_search', standsFor: ['records.search'], output: outputs.recordPages },
    async (call, input) => {
      const ways = [input.criteria, input.email, input.phone, input.word].filter((way) => way !== undefined);
      if (ways.length !== 1) {
        return failed('invalid_input', 'Give exactly one of `criteria`, `email`, `phone` and `word`.');
      }
      return call('records.search', input);
    },
  ),

  'coql.query': recipe(
    'read',
    'Queries records with COQL, also by fields of related records, with sums and counts, in any order. To search by name or address use suite_search. API names come from suite_fields_list',
    {
      query: z
        .union([written, coqlClauses])
        .describe(
          'The query: {"select": ["Deal_Name", "Amount"], "from": "Deals", "where": {"field": "Stage", "operator": "equals", "value": "Closed Won"}}; ' +
            "or as text without limit: select Deal_Name, Amount from Deals where Stage = 'Closed Won'",
        )
        .meta(
          inLists({
            anyOf: [{ type: 'string' }, { type: 'object' }],
            description:
              "Such as: select Deal_Name, Account_Name.Industry from Deals where Stage = 'Closed Won' order by Amount desc (without limit); " +
              'or as {"select": ["Stage", "COUNT(id)"], "from": "Deals", "where": {"field": "Amount", "operator": "greater_than", "value": 100}, "group_by": ["Stage"]}',
          }),
        ),
      limit: z
        .number()
        .int()
        .min(1)
        .max(maxCoqlRecords)
        .default(200)
        .describe('Records, 1 to 2000; a limit in the query text goes first'),
      offset: z
        .union([
          z.number().int().min(0),
          z
            .string()
            .regex(/^\d{1,9}$/)
            .transform(Number),
        ])
        .default(0)
        .describe('Records to pass over, or the `next` of the previous page')
        .meta(inLists({ type: 'string', description: pagingInLists })),
    },
    { tool: 'suite_coql_query', standsFor: ['coql.run'], output: outputs.selected },
    async (call, { query, limit, offset }) => {
      const text = typeof query === 'string' ? query : coqlText(query);
      if (hasBounds(text)) return call('coql.run', { select_query: text });
      const outcome = await call('coql.run', { select_query: boundedCoql(text, { limit, offset }) });
      return outcome.ok ? goingOn(outcome, offset) : outcome;
    },
  ),

  'notes.add': recipe(
    'add',
    'Adds a note to a record; existing notes stay, see suite_notes_list',
    {
      module,
      id,
      text: z.string().min(1).max(32_000).describe('The text of the note'),
      title: z.string().max(120).optional().describe('Optional title'),
    },
    { tool: 'suite_note_create', standsFor: ['notes.create'], output: outputs.changed },
    async (call, input) => {
      const outcome = await call('notes.create', {
        data: [
          {
            ...(input.title === undefined ? {} : { Note_Title: input.title }),
            Note_Content: input.text,
            Parent_Id: { module: { api_name: input.module }, id: input.id },
          },
        ],
      });
      if (!outcome.ok) return outcome;
      const results = resultDetails.safeParse(outcome.data);
      return results.success ? succeeded(results.data[0]?.details) : outcome;
    },
  ),

  'bulk.result': recipe(
    'read',
    'Downloads the result of an export job as CSV, unpacked where the provider packs it',
    { job_id: rows['bulk.packed'].input.shape.job_id },
    { answer: 'file', route: { method: 'GET', path: '/bulk/read/{job_id}/result' } },
    async (call, { job_id }) => {
      const outcome = await call('bulk.packed', { job_id });
      return outcome.ok && isFileContent(outcome.data) ? succeeded(unpacked(outcome.data, job_id)) : outcome;
    },
  ),

  'bulk.export': exportRecipe(),
} as const;

/** Adds the next page of a query, whose offset skips the records returned so far. */
function goingOn(outcome: Extract<Outcome, { ok: true }>, offset: number): Outcome {
  const count = Array.isArray(outcome.data) ? outcome.data.length : 0;
  const hasMore = outcome.pagination?.hasMore === true && count > 0;
  return { ...outcome, pagination: { next: hasMore ? String(offset + count) : null, hasMore } };
}
