import type { RecipeContext } from '#adapters/services/operation-table.ts';
import { mapped } from '#adapters/services/read-answers.ts';
import type { Kind } from '#adapters/services/tracker/details/kinds.ts';
import { selected, textsIn } from '#adapters/services/tracker/details/matching.ts';
import { epicsBy } from '#adapters/services/tracker/jira/issue-lists.ts';
import { cyclesFor, labelsOf, statesFor, teamsOf, usersFor } from '#adapters/services/tracker/jira/records.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

type Filter = Readonly<Record<string, unknown>>;

const empty: readonly never[] = [];

/** Finds records of several kinds by filters; a label that no issue has yet is there by its name, as a new one. */
export async function findNames(
  send: Send,
  { teams, workflowStates, users, issueLabels, projects, cycles }: Readonly<Partial<Record<Kind, Filter | undefined>>>,
  context: RecipeContext,
): Promise<Outcome> {
  const kept = async (
    filter: Filter | undefined,
    load: (filter: Filter) => Promise<Outcome<readonly Readonly<{ id: string }>[]>>,
  ) => {
    if (filter === undefined) return succeeded(empty);
    const records = await load(filter);
    const fitting = records.ok ? selected(records.data, filter) : records;
    const given = textsIn(filter);
    const byId = records.ok ? records.data.filter(({ id }) => given.includes(id)) : [];
    return mapped(fitting, (list) => [...new Set([...list, ...byId])]);
  };
  const labels = async (filter: Filter) => {
    const known = await labelsOf(send);
    const names = known.ok ? known.data.map(({ name }) => name.toLowerCase()) : [];
    const fresh = textsIn(filter).filter((name) => !names.includes(name.toLowerCase()) && !/\s/.test(name));
    return mapped(known, (list) => [
      ...list,
      ...fresh.map((name) => ({ id: name, name, isGroup: false, isNew: true, team: null })),
    ]);
  };
  const parts = {
    teams: kept(teams, () => teamsOf(send)),
    workflowStates: kept(workflowStates, (filter) => statesFor(send, filter)),
    users: kept(users, (filter) => usersFor(send, filter)),
    issueLabels: kept(issueLabels, labels),
    projects: projects === undefined ? succeeded(empty) : epicsBy(send, projects, context),
    cycles: kept(cycles, (filter) => cyclesFor(send, filter)),
    initiatives: succeeded(empty),
  };
  const found = await Promise.all(Object.entries(parts).map(async ([name, part]) => [name, await part] as const));
  const failure = found.map(([, part]) => part).find((part) => !part.ok);
  return failure ?? succeeded(Object.fromEntries(found.map(([name, part]) => [name, part.ok ? part.data : []])));
}
