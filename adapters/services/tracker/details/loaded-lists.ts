import { mapped } from '#adapters/services/answers/read-answers.ts';
import type { SendRequest, VendorRequests } from '#adapters/services/definitions/vendor-operations.ts';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { type Kind, kindSchema } from '#adapters/services/tracker/details/kinds.ts';
import {
  type ListInput,
  type Matched,
  pageOf,
  selected,
  textsIn,
} from '#adapters/services/tracker/details/matching.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** Records of one kind, in the kind's words. */
export type Loaded = Outcome<readonly (Matched & Readonly<{ id: string }>)[]>;

/** Reads the records that a filter may match: all of the kind, where the vendor cannot tell. */
export type Load<Requests extends VendorRequests> = (
  send: SendRequest<Requests>,
  filter: unknown,
  context: RecipeContext,
) => Promise<Loaded>;

type Listed = 'teams' | 'users' | 'issueLabels' | 'workflowStates' | 'cycles';

/**
 * The lists, and the search by names, of a vendor that does not filter as the kind does: the records are read by
 * `lists`, and filtered and paged here. `named` finds the records of a kind by a name's filter where that takes more.
 */
export function loadedLists<Requests extends VendorRequests>(
  lists: Readonly<Record<Listed, Load<Requests>>>,
  named: Readonly<Partial<Record<Kind, Load<Requests>>>>,
) {
  const list =
    (kind: Listed) =>
    async (send: SendRequest<Requests>, input: ListInput, context: RecipeContext): Promise<Outcome> => {
      const records = await lists[kind](send, input.filter, context);
      return records.ok ? pageOf(records.data, input) : records;
    };
  const byName: Readonly<Partial<Record<Kind, Load<Requests>>>> = {
    ...Object.fromEntries(
      Object.entries(lists).map(([kind, load]) => [
        kind,
        async (...[send, filter, context]: Parameters<typeof load>) =>
          namedIn(await load(send, filter, context), filter),
      ]),
    ),
    ...named,
  };
  return {
    'teams.list': list('teams'),
    'users.list': list('users'),
    'labels.list': list('issueLabels'),
    'workflow_states.list': list('workflowStates'),
    'cycles.list': list('cycles'),
    'names.find': async (
      send: SendRequest<Requests>,
      filters: Readonly<Partial<Record<Kind, unknown>>>,
      context: RecipeContext,
    ): Promise<Outcome> => {
      const find = async (kind: Kind) => {
        const load = filters[kind] === undefined ? undefined : byName[kind];
        return [kind, load === undefined ? succeeded([]) : await load(send, filters[kind], context)] as const;
      };
      const kinds = kindSchema.options.filter((kind) => kind !== 'projectStatuses');
      const found = await Promise.all(kinds.map(find));
      const failure = found.map(([, records]) => records).find(({ ok }) => !ok);
      return (
        failure ?? succeeded(Object.fromEntries(found.map(([kind, records]) => [kind, records.ok ? records.data : []])))
      );
    },
  };
}

/** The records that a name's filter matches, or that have the name as their id. */
export function namedIn(records: Loaded, filter: unknown): Loaded {
  const fitting = records.ok ? selected(records.data, filter) : records;
  const texts = textsIn(filter);
  const byId = records.ok ? records.data.filter(({ id }) => texts.includes(id)) : [];
  return mapped(fitting, (list) => [...new Set([...list, ...byId])]);
}
