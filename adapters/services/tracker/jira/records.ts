import { z } from 'zod';
import { allPages, mapped, parsed } from '#adapters/services/answers/read-answers.ts';
import { type Loaded, namedIn } from '#adapters/services/tracker/details/loaded-lists.ts';
import { partOf, selected, textsIn } from '#adapters/services/tracker/details/matching.ts';
import {
  jiraProject,
  person,
  priorityLevel,
  type Status,
  sprint,
  status,
} from '#adapters/services/tracker/jira/fields.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** All teams: the projects of Jira. */
export const teamsOf = (send: Send) => allPages((page) => send('projects', page), jiraProject);

/** The person behind the connection. */
export const myself = async (send: Send) =>
  mapped(parsed(await send('myself', {}), person), (me) => ({ ...me, isMe: true }));

/** The people that a filter may match: found by its texts, or all when it has none. */
export async function usersFor(send: Send, filter: unknown) {
  const me = await myself(send);
  if (!me.ok) return me;
  const texts = [...new Set(textsIn(filter))].slice(0, 20);
  const isMe = texts.length === 0 && partOf(filter, 'isMe') !== undefined;
  const everybody = () => [allPages((page) => send('users', page), person)];
  const lists = isMe ? [] : texts.length === 0 ? everybody() : texts.map((text) => usersCalled(send, text));
  const people = new Map([[me.data.id, me.data]]);
  for (const list of await Promise.all(lists)) {
    if (!list.ok) return list;
    for (const one of list.data) {
      const known = people.get(one.id);
      people.set(one.id, { ...one, ...known, email: known?.email ?? one.email, isMe: one.id === me.data.id });
    }
  }
  return succeeded([...people.values()]);
}

async function usersCalled(send: Send, query: string): Promise<Outcome<readonly z.output<typeof person>[]>> {
  const found = parsed(await send('findUsers', { query, maxResults: 50 }), z.array(person));
  const byId = /^[\w:-]{8,128}$/.test(query) ? parsed(await send('user', { accountId: query }), person) : null;
  // Who is found by an address that they hide has it.
  const isHidden = found.ok && found.data.length === 1 && query.includes('@');
  return mapped(found, (people) => [
    ...people.map((one) => ({ ...one, email: one.email ?? (isHidden ? query : null) })),
    ...(byId?.ok === true ? [byId.data] : []),
  ]);
}

type TeamState = Status & Readonly<{ team: z.output<typeof jiraProject> | null }>;

const ofProject = z.array(z.looseObject({ statuses: z.array(status) }));

/** The statuses of all projects, or of those that the filter's `team` matches. */
export async function statesFor(send: Send, filter: unknown): Promise<Outcome<readonly TeamState[]>> {
  const place = partOf(filter, 'team');
  if (place === undefined) {
    const all = parsed(await send('statuses', {}), z.array(status));
    return mapped(all, (list) => list.map((one) => ({ ...one, team: null })));
  }
  const teams = await teamsIn(send, place, 20);
  if (!teams.ok) return teams;
  const states: TeamState[] = [];
  for (const team of teams.data) {
    const byType = parsed(await send('projectStatuses', { project: team.id }), ofProject);
    if (!byType.ok) return byType;
    const all = new Map(byType.data.flatMap(({ statuses }) => statuses).map((one) => [one.id, { ...one, team }]));
    states.push(...all.values());
  }
  return succeeded(states);
}

async function teamsIn(send: Send, place: unknown, most: number) {
  const all = await teamsOf(send);
  const teams = all.ok ? selected(all.data, place, 'filter.team') : all;
  if (!teams.ok || teams.data.length <= most) return teams;
  return failed(
    'too_large',
    `The tracker can look through ${most} teams at once, and this is about ${teams.data.length}. Give \`team\`.`,
  );
}

const board = z.looseObject({ id: z.number(), type: z.string().catch('') });

/** The boards of a team that have sprints. */
export async function boardsOf(send: Send, project: string) {
  const boards = await allPages((page) => send('boards', { ...page, projectKeyOrId: project }), board, 50);
  return mapped(boards, (list) => list.filter(({ type }) => type !== 'kanban'));
}

/** The sprints of the teams that the filter's `team` matches, or of all. */
export async function cyclesFor(send: Send, filter: unknown) {
  const teams = await teamsIn(send, partOf(filter, 'team') ?? {}, 20);
  if (!teams.ok) return teams;
  const cycles = new Map<string, ReturnType<typeof onBoard>[number]>();
  for (const one of teams.data) {
    const boards = await boardsOf(send, one.id);
    if (!boards.ok) return boards;
    for (const { id } of boards.data) {
      const sprints = await allPages((page) => send('sprints', { ...page, board: id }), sprint, 50);
      // A board without sprints is refused.
      if (!sprints.ok && sprints.reason !== 'invalid_input') return sprints;
      for (const cycle of onBoard(sprints.ok ? sprints.data : [], one)) cycles.set(cycle.id, cycle);
    }
  }
  return succeeded([...cycles.values()]);
}

function onBoard(sprints: readonly z.output<typeof sprint>[], ofTeam: z.output<typeof jiraProject>) {
  const next = sprints.find(({ isFuture }) => isFuture)?.id;
  const previous = sprints.findLast(({ isPast }) => isPast)?.id;
  return sprints.map((one) => ({ ...one, isNext: one.id === next, isPrevious: one.id === previous, team: ofTeam }));
}

/** All labels, which are texts: their names are their ids. */
export async function labelsOf(send: Send) {
  const names = await allPages((page) => send('labels', page), z.string(), 1_000);
  return mapped(names, (list) =>
    list.map((name) => ({ id: name, name, description: null, isGroup: false, parent: null, team: null })),
  );
}

/** The priorities in their order, with the tracker's numbers. */
export async function prioritiesOf(send: Send) {
  const listed = z.array(z.looseObject({ id: z.string(), name: z.string() }));
  return mapped(parsed(await send('priorities', {}), listed), (list) =>
    list.map((one, index) => ({
      ...one,
      level: priorityLevel(one.name) ?? Math.min(4, 1 + Math.floor((index * 4) / list.length)),
    })),
  );
}

/** The lists of the tracker at Jira. */
export const lists = {
  teams: teamsOf,
  users: usersFor,
  issueLabels: labelsOf,
  workflowStates: statesFor,
  cycles: cyclesFor,
};

/** The labels of these names; one that no issue has yet is there as a new one. */
export async function labelsNamed(send: Send, filter: unknown): Promise<Loaded> {
  const known = await labelsOf(send);
  const names = known.ok ? known.data.map(({ name }) => name.toLowerCase()) : [];
  const fresh = textsIn(filter).filter((name) => !names.includes(name.toLowerCase()) && !/\s/.test(name));
  const added = fresh.map((name) => ({ id: name, name, isGroup: false, isNew: true, team: null }));
  return namedIn(
    mapped(known, (list) => [...list, ...added]),
    filter,
  );
}
