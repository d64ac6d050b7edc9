import { z } from 'zod';
import { cycleIs, type Filter, nameIs, slugIs, teamIs, userIs } from '#adapters/services/tracker/details/filters.ts';

/** The kinds of record that can be named: the connections of `names.find`. */
export type Kind = 'teams' | 'workflowStates' | 'users' | 'issueLabels' | 'projects' | 'cycles' | 'initiatives';

/** A record as answered by `names.find`; its members depend on its kind. */
export const candidate = z.object({
  id: z.string(),
  name: z.string().nullish(),
  key: z.string().optional(),
  displayName: z.string().optional(),
  email: z.string().optional(),
  slugId: z.string().optional(),
  number: z.number().optional(),
  isMe: z.boolean().optional(),
  isActive: z.boolean().optional(),
  isNext: z.boolean().optional(),
  isPrevious: z.boolean().optional(),
  isGroup: z.boolean().optional(),
  team: z.object({ id: z.string(), key: z.string() }).nullish(),
});

/** One such record. */
export type Candidate = z.output<typeof candidate>;

const inTeam = (team: string | null): Filter => (team === null ? {} : { team: teamIs(team) });
const shared = (team: string | null): Filter =>
  team === null ? {} : { or: [{ team: { null: true } }, { team: teamIs(team) }] };

/** How one kind is named and looked up; `team` is a key, name or id, null when unknown. */
export type KindFacts = Readonly<{
  title: string;
  plural: string;
  /** Matches records with exactly this name. */
  exact(name: string, team: string | null): Filter;
  /** Matches the choices to offer when no record has this name. */
  choices(name: string, team: string | null): Filter;
  /** A candidate's names, the most specific first. */
  called(one: Candidate): readonly (string | null | undefined)[];
}>;

const like = (name: string): Filter => ({ name: { containsIgnoreCase: name } });
const moments = (one: Candidate) =>
  one.isActive === true ? 'current' : one.isNext === true ? 'next' : one.isPrevious === true ? 'previous' : null;

/** How each kind is named and looked up. */
export const kindFacts: Readonly<Record<Kind, KindFacts>> = {
  teams: { title: 'team', plural: 'teams', exact: teamIs, choices: () => ({}), called: (one) => [one.key, one.name] },
  workflowStates: {
    title: 'state',
    plural: 'states',
    exact: (name, team) => ({ ...nameIs(name), ...inTeam(team) }),
    choices: (_, team) => inTeam(team),
    called: (one) => [one.name],
  },
  users: {
    title: 'user',
    plural: 'users',
    exact: (name) => ({ ...userIs(name), active: { eq: true } }),
    choices: (name) => ({
      active: { eq: true },
      or: [{ displayName: { containsIgnoreCase: name } }, { name: { containsIgnoreCase: name } }],
    }),
    called: (one) => [one.isMe === true ? 'me' : null, one.email, one.displayName, one.name],
  },
  issueLabels: {
    title: 'label',
    plural: 'labels',
    exact: (name, team) => ({ and: [nameIs(name), { isGroup: { eq: false } }, shared(team)] }),
    choices: (_, team) => ({ and: [{ isGroup: { eq: false } }, shared(team)] }),
    called: (one) => [one.name],
  },
  projects: {
    title: 'project',
    plural: 'projects',
    exact: slugIs,
    choices: like,
    called: (one) => [one.slugId, one.name],
  },
  cycles: {
    title: 'cycle',
    plural: 'cycles',
    exact: (name, team) => ({ and: [cycleIs(name), inTeam(team)] }),
    choices: (_, team) => inTeam(team),
    called: (one) => [moments(one), one.number === undefined ? null : String(one.number), one.name],
  },
  initiatives: {
    title: 'initiative',
    plural: 'initiatives',
    exact: slugIs,
    choices: like,
    called: (one) => [one.slugId, one.name],
  },
};

/** Whether the kind belongs to a team, in which it is looked up. */
export const isOfTeam = (kind: Kind) => kind === 'workflowStates' || kind === 'cycles' || kind === 'issueLabels';

/** A candidate as shown to people. */
export function shown(one: Candidate): string {
  const name = one.name ?? (one.number === undefined ? one.id : `cycle ${one.number}`);
  const short = one.key ?? one.email ?? (one.team == null ? undefined : one.team.key);
  return short === undefined ? `"${name}"` : `"${name}" (${short})`;
}
