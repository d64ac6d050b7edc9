import type { z } from 'zod';
import type { Shape } from '#adapters/services/requests/operation-table.ts';
import { del, get, patch, post } from '#adapters/services/requests/request-rows.ts';
import type { RequestOptions } from '#adapters/services/requests/row-options.ts';
import { customFieldKey, fields, id, page } from '#adapters/services/sales-crm/inputs.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import type { EffectRule } from '#domain/operations/effect.ts';

/**
 * The differences between deals, persons, organizations and activities; their rows have the same form (SALES-002 to
 * SALES-004).
 */
export type RecordFacts<List extends Shape, Get extends Shape, Create extends Shape, Update extends Shape> = Readonly<{
  /** The collection's path, `/api/v2/deals`. */
  path: `/api/v2/${string}`;
  /** 'deal', with its article and plural. */
  one: string;
  article: 'a' | 'an';
  many: string;
  /** The list's filters, as worded in the summary. */
  narrowedBy: string;
  /** The names of the tools (TOOL-001); a missing one means no tool. */
  tools: Readonly<{ list: string; get?: string; create: string; update?: string }>;
  /** Advice in the tools' summaries: which tool to use instead, and where ids come from. */
  advice: Readonly<{ list: string; get?: string; create: string; update?: string }>;
  inputs: Readonly<{ list: List; get: Get; create: Create; update: Update }>;
  /** The inputs of list, create and update that name a record. */
  named: NonNullable<RequestOptions['named']>;
  /** The effects of create and update by their inputs. */
  effectBy: Readonly<{ create?: readonly EffectRule[]; update: readonly EffectRule[] }>;
  /** The shape of one record, and of a page of them. */
  outputs: Readonly<{ one: OperationOutput; many: OperationOutput }>;
}>;

/** Builds the five rows of a kind of record: list, get, create, update, delete. Custom fields pass through. */
export function recordRows<List extends Shape, Get extends Shape, Create extends Shape, Update extends Shape>(
  facts: RecordFacts<List, Get, Create, Update>,
) {
  const { path, one, article, many, tools, advice, inputs, outputs } = facts;
  const single: `${string}/{id}` = `${path}/{id}`;
  const named = <Name extends string>(tool: Name | undefined) => (tool === undefined ? {} : { tool });
  const advised = (summary: string, more: string | undefined) => (more === undefined ? summary : `${summary}. ${more}`);
  return {
    list: get<string, List & ListInputs>(
      path,
      advised(`Lists ${many}, filtered by ${facts.narrowedBy}; paged`, advice.list),
      { ...inputs.list, ...page, fields },
      { tool: tools.list, output: outputs.many, page: 'cursor', local: ['fields'], named: facts.named },
    ),
    get: get<`${string}/{id}`, Get & IdInput>(
      single,
      advised(`Gets ${article} ${one} by its id`, advice.get),
      { id: id(one), ...inputs.get },
      { ...named(tools.get), output: outputs.one },
    ),
    create: post<string, Create>(path, advised(`Creates ${article} ${one}`, advice.create), inputs.create, {
      tool: tools.create,
      output: outputs.one,
      customNames: customFieldKey,
      named: facts.named,
      effectBy: facts.effectBy.create ?? [],
    }),
    update: patch<`${string}/{id}`, Update & IdInput>(
      single,
      advised(`Updates ${article} ${one}; omitted inputs keep their values`, advice.update),
      { id: id(one), ...inputs.update },
      {
        ...named(tools.update),
        output: outputs.one,
        customNames: customFieldKey,
        named: facts.named,
        effectBy: facts.effectBy.update,
        isIdempotent: true,
      },
    ),
    delete: del<`${string}/{id}`, IdInput>(single, `Deletes ${article} ${one}; it can be restored for 30 days`, {
      id: id(one),
    }),
  };
}

type IdInput = Readonly<{ id: z.ZodNumber }>;
type ListInputs = typeof page & Readonly<{ fields: typeof fields }>;
