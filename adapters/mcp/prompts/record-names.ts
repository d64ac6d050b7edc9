import { z } from 'zod';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { foldedName } from '#domain/text/folded-name.ts';

/** Completes the name of a record by any part of it, over the user's own connections. */
export type CompleteName = (context: MethodContext, typed: string) => Promise<readonly string[]>;

/** What prompts complete: deals, and the teams and customers that a review may begin with. */
export type PromptNames = Readonly<{ deals: CompleteName; focus: CompleteName }>;

/** The least length of a text that services search for, in characters. */
const minSearched = 2;

/** The most names of one kind. */
const maxNames = 100;

const listedNames = z.array(
  z.object({ title: z.string().nullish(), name: z.string().nullish() }).transform(({ title, name }) => title ?? name),
);
const hits = z.array(z.object({ item: z.object({ title: z.string().nullish(), name: z.string().nullish() }) }));

/** The names of records, found by the tools that search and list them; none of a service that does not answer. */
export function recordNames({ operations }: OperationCatalog, run: RunOperationFor): PromptNames {
  const ask = async ({ user, signal }: MethodContext, tool: string, input: Readonly<Record<string, unknown>>) => {
    const operation = operations.find((one) => one.tool === tool);
    if (operation === undefined) return null;
    const outcome = await run(user, { service: operation.service, name: operation.name, input, signal });
    return outcome.ok ? outcome.data : null;
  };
  const listed = async (context: MethodContext, tool: string, input: Readonly<Record<string, unknown>>) =>
    listedNames.safeParse(await ask(context, tool, input)).data ?? [];
  const crm = async (context: MethodContext, typed: string, [type, list]: readonly [string, string]) => {
    if (typed.length < minSearched) return listed(context, list, { limit: maxNames });
    const found = await ask(context, 'sales_crm_search', { term: typed, item_types: [type], limit: maxNames });
    return (hits.safeParse(found).data ?? []).map(({ item }) => item.title ?? item.name);
  };
  return {
    deals: async (context, typed) => containing(typed, await crm(context, typed, ['deal', 'sales_crm_deals_list'])),
    focus: async (context, typed) => {
      const [teams, customers] = await Promise.all([
        listed(context, 'tracker_teams_list', { first: maxNames }),
        crm(context, typed, ['organization', 'sales_crm_orgs_list']),
      ]);
      return containing(typed, [...teams, ...customers]);
    },
  };
}

/** The names that contain what was typed, those that begin with it first. */
export function containing(typed: string, names: readonly (string | null | undefined)[]): readonly string[] {
  const wanted = foldedName(typed, 'accents');
  const folded = (name: string) => foldedName(name, 'accents');
  const found = [...new Set(names.flatMap((name) => name ?? []))].filter((name) => folded(name).includes(wanted));
  return found.toSorted(
    (one, other) => Number(folded(other).startsWith(wanted)) - Number(folded(one).startsWith(wanted)),
  );
}
