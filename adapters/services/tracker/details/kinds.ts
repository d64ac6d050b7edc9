import { z } from 'zod';
import { cycleIs, type Filter, nameIs, slugIs, teamIs, userIs } from '#adapters/services/tracker/details/filters.ts';
import { foldedName, wordsInName } from '#domain/text/folded-name.ts';

/** The kinds of record that can be named: the connections of `names.find`, and the statuses of projects. */
export const kindSchema = z.enum([
  'teams',
  'workflowStates',
  'users',
  'issueLabels',
  'projects',
  'cycles',
  'initiatives',
  'projectStatuses',
]);

/** One of these kinds. */
export type Kind = z.output<typeof kindSchema>;

/** A record as answered by `names.find`; its members depend on its kind. */
export const candidate = z.object({
  id: z.string(),
  name: z.string().nullish(),
  key: z.string().optional(),
  displayName: z.string().nullish(),
  email: z.string().nullish(),
  slugId: z.string().nullish(),
  number: z.number().optional(),
  active: z.boolean().optional(),
  isMe: z.boolean().optional(),
  isActive: z.boolean().optional(),
  isNext: z.boolean().optional(),
  isPrevious: z.boolean().optional(),
  isNew: z.boolean().optional(),
  team: z.object({ id: z.string(), key: z.string() }).nullish(),
});

/** One such record; `isNew`: it is created by being used, such as a label at some vendors. */
export type Candidate = z.output<typeof candidate>;

/** The statuses that projects have where nobody changed them. */
export const usualStatuses = ['Backlog', 'Planned', 'In Progress', 'Paused', 'Completed', 'Canceled'] as const;

const inTeam = (team: string | null): Filter => (team === null ? {} : { team: teamIs(team) });
const shared = (team: string | null): Filter =>
  team === null ? {} : { or: [{ team: { null: true } }, { team: teamIs(team) }] };

/** How one kind is named and looked up. */
type KindFacts = Readonly<{
  title: string;
  plural: string;
  /** Matches records with exactly this name. */
  exact(name: string): Filter;
  /** A candidate's names, the most specific first. */
  called(one: Candidate): readonly (string | null | undefined)[];
  /** Matches the records that belong to a team (key, name or id; null when unknown); absent when they belong to none. */
  within?(team: string | null): Filter;
}>;

const moments = (one: Candidate) =>
  one.isActive === true ? 'current' : one.isNext === true ? 'next' : one.isPrevious === true ? 'previous' : null;
const slugged = { exact: slugIs, called: (one: Candidate) => [one.slugId, one.name] };
const named = { exact: nameIs, called: (one: Candidate) => [one.name] };

/** How each kind is named and looked up. */
export const kindFacts: Readonly<Record<Kind, KindFacts>> = {
  teams: { title: 'team', plural: 'teams', exact: teamIs, called: (one) => [one.key, one.name] },
  workflowStates: { title: 'state', plural: 'states', ...named, within: inTeam },
  users: {
    title: 'user',
    plural: 'users',
    exact: userIs,
    // Somebody who left is meant only when nobody else has the name.
    called: (one) => [
      one.isMe === true ? 'me' : null,
      one.email,
      ...(one.active === false ? [null, null] : [one.displayName, one.name]),
      one.displayName,
      one.name,
    ],
  },
  issueLabels: {
    title: 'label',
    plural: 'labels',
    ...named,
    within: (team) => ({ and: [{ isGroup: { eq: false } }, shared(team)] }),
  },
  projects: { title: 'project', plural: 'projects', ...slugged },
  cycles: {
    title: 'cycle',
    plural: 'cycles',
    exact: cycleIs,
    called: (one) => [moments(one), one.number === undefined ? null : String(one.number), one.name],
    within: inTeam,
  },
  initiatives: { title: 'initiative', plural: 'initiatives', ...slugged },
  projectStatuses: { title: 'status', plural: 'statuses', ...named },
};

/** The most words of a name that are searched. */
const maxWords = 5;

/** Matches records with a word of this name, by each of the fields. */
export function containing(name: string, fields: readonly string[]): Filter {
  const words = wordsInName(foldedName(name)).slice(0, maxWords);
  const texts = words.length === 0 ? [name] : words;
  return { or: texts.flatMap((text) => fields.map((field) => ({ [field]: { containsIgnoreCase: text } }))) };
}

/** A candidate as shown to people. */
export function shown(one: Candidate): string {
  const name = one.name ?? (one.number === undefined ? one.id : `cycle ${one.number}`);
  const short = one.key ?? one.email ?? one.team?.key;
  return short == null ? `"${name}"` : `"${name}" (${short})`;
}
