import { z } from 'zod';
import {
  type GivenName,
  type NameUse,
  type PickedName,
  pickNamed,
  unknownNamed,
} from '#adapters/services/answers/name-lookup.ts';
import { parsed } from '#adapters/services/answers/read-answers.ts';
import type { CallRow, RecipeConnection } from '#adapters/services/requests/operation-table.ts';
import type { NamedInput } from '#adapters/services/requests/row-options.ts';
import { allOf, type Filter, isId } from '#adapters/services/tracker/details/filters.ts';
import {
  candidate,
  containing,
  type Kind,
  kindFacts,
  kindSchema,
  shown,
} from '#adapters/services/tracker/details/kinds.ts';
import { foundAtOnce } from '#adapters/services/tracker/operations/names-row.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { type Failure, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { ReadThrough } from '#infrastructure/memory/read-through.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** A name that a caller gave, what it is for, and the team in which it is looked up (key, name or id). */
type Named = Readonly<{ input: string; kind: Kind; name: string; use: NameUse }>;

/** What a look-up needs: the rows of the service for one connection, and the effect of the call. */
type LookUp = Readonly<{ call: CallRow; connection: Pick<RecipeConnection, 'id'>; effect: Effect }>;

type Found = ReadonlyMap<Named, Outcome<PickedName>>;

const list = z.array(candidate).default([]);
const foundRecords = z.object({
  teams: list,
  workflowStates: list,
  users: list,
  issueLabels: list,
  projects: list,
  cycles: list,
  initiatives: list,
  projectStatuses: list,
});

const inTeamOf = z.object({ team: z.object({ key: z.string() }) });

/** How long the records behind a name are cached for calls that read, per connection, in ms. */
const keptMs = 60_000;

/**
 * Resolves names among the inputs of the tracker's tools, all in one request; in none when all are ids. States, cycles
 * and labels are looked up in the team of the call. More requests are made only for names that nothing bears exactly.
 */
export class TrackerNames {
  readonly #known = new ReadThrough<string, PickedName>({ max: 2_000, ttl: keptMs });

  /** Returns the inputs with ids, or conditions of `filter`, for names; a failure lists what each name could mean. */
  async resolve(named: Readonly<Record<string, NamedInput>>, inputs: Inputs, lookUp: LookUp): Promise<Outcome<Inputs>> {
    const given = Object.entries(named).flatMap(([input, { kind, filters }]) => {
      const use = filters !== undefined ? 'filter' : lookUp.effect === 'read' ? 'read' : 'write';
      return textsIn(own(inputs, input)).map((name): Named => ({ input, kind: kindSchema.parse(kind), name, use }));
    });
    const asked = given.filter(({ name, use }) => !isId(name) && !(use === 'filter' && isNone(name)));
    const team = await teamFor(inputs, asked, lookUp.call);
    if (!team.ok) return team;
    const found = await this.#pick(asked, team.data, lookUp);
    if (!found.ok) return found;
    const picked = [...found.data.values()];
    const [failure, ...others] = picked.filter((one) => !one.ok);
    if (failure !== undefined) return joined([failure, ...others]);
    const warnings = picked.flatMap((one) => (one.ok && one.data.remark !== null ? [one.data.remark] : []));
    return { ...succeeded(filledIn(named, inputs, given, found.data)), warnings };
  }

  /** Takes what is cached for calls that read, and looks the rest up. */
  async #pick(asked: readonly Named[], team: string | null, { call, connection }: LookUp): Promise<Outcome<Found>> {
    const keyOf = ({ kind, name, use }: Named) =>
      JSON.stringify([connection.id, use, kind, name, kindFacts[kind].within === undefined ? null : team]);
    const all = new Map<Named, Outcome<PickedName>>();
    for (const one of asked) {
      const known = one.use === 'write' ? null : await this.#known.get(keyOf(one), async () => null);
      if (known !== null) all.set(one, succeeded(known));
    }
    const open = asked.filter((one) => !all.has(one));
    const fresh = await pickedNow(open, { call, team });
    if (!fresh.ok) return fresh;
    for (const [one, picked] of fresh.data) {
      all.set(one, picked);
      if (picked.ok) await this.#known.get(keyOf(one), async () => picked.data);
    }
    return succeeded(all);
  }
}

const isNone = (name: string) => name.toLowerCase() === 'none';

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/**
 * The team in which names are looked up: the given one, else that of the issue that is changed, which is read only when
 * needed; null when there is neither.
 */
async function teamFor(
  { team, issue }: Inputs,
  asked: readonly Named[],
  call: CallRow,
): Promise<Outcome<string | null>> {
  if (typeof team === 'string') return succeeded(team);
  const isNeeded = asked.some(({ kind }) => kindFacts[kind].within !== undefined);
  if (typeof issue !== 'string' || !isNeeded) return succeeded(null);
  const read = parsed(await call('issues.get', { id: issue }), inTeamOf);
  return read.ok ? succeeded(read.data.team.key) : read;
}

type Place = Readonly<{ call: CallRow; team: string | null }>;

const isOfTeam = ({ kind }: Named) => kindFacts[kind].within !== undefined;

/** Looks names up: as they are given, then by parts. Where the team is found by a part, the rest is looked up in it. */
async function pickedNow(asked: readonly Named[], place: Place): Promise<Outcome<Found>> {
  const exact = await pickedBy(asked, place, {
    filterOf: ({ kind, name }) => kindFacts[kind].exact(name),
    isExact: true,
  });
  if (!exact.ok) return exact;
  const open = asked.filter((one) => !exact.data.has(one));
  const teams = open.filter(({ kind }) => kind === 'teams');
  const near = await pickedNear(teams.length === 0 ? open : open.filter((one) => !isOfTeam(one)), place);
  if (!near.ok) return near;
  const all = new Map([...exact.data, ...near.data]);
  const [team] = teams.flatMap((one) => all.get(one) ?? []);
  // Where the team is unknown, everything that is looked up in it is, too.
  if (team?.ok !== true) return succeeded(all);
  const within = await pickedNow(open.filter(isOfTeam), { ...place, team: team.data.ids[0] ?? null });
  return within.ok ? succeeded(new Map([...all, ...within.data])) : within;
}

/** Looks names up by parts; a name that is still unknown fails with all that there is, the nearest first. */
async function pickedNear(asked: readonly Named[], place: Place): Promise<Outcome<Found>> {
  const fieldsOf = (kind: Kind) => (kind === 'users' ? ['displayName', 'name'] : ['name']);
  const near = await pickedBy(asked, place, { filterOf: ({ kind, name }) => containing(name, fieldsOf(kind)) });
  if (!near.ok) return near;
  const open = asked.filter((one) => !near.data.has(one));
  const all = await pickedBy(open, place, { filterOf: () => ({}), isLast: true });
  return all.ok ? succeeded(new Map([...near.data, ...all.data])) : all;
}

/** What each name stands for among the records that its filter matches; what nothing bears is left out, unless it is last. */
async function pickedBy(
  asked: readonly Named[],
  { call, team }: Place,
  { filterOf, isExact, isLast }: Readonly<{ filterOf(one: Named): Filter; isExact?: true; isLast?: true }>,
): Promise<Outcome<Found>> {
  if (asked.length === 0) return succeeded(new Map());
  const records = await lookedUp(
    call,
    asked,
    (one) => allOf([filterOf(one), kindFacts[one.kind].within?.(team)]) ?? {},
  );
  if (!records.ok) return records;
  const all = asked.flatMap((one): readonly [Named, Outcome<PickedName>][] => {
    const { title, plural, called } = kindFacts[one.kind];
    const given: GivenName = { ...one, title, plural, isPerson: one.kind === 'users' };
    const listed = records.data[one.kind];
    const candidates = listed
      .filter(({ isNew }) => isNew !== true || (isExact === true && one.use === 'write'))
      .map((record) => ({
        id: record.id,
        called: [...called(record), record.id],
        shown: shown(record),
        email: record.email,
      }));
    const isCut = listed.length >= (own(foundAtOnce, one.kind) ?? Number.POSITIVE_INFINITY);
    const picked = pickNamed(given, candidates, isCut);
    if (picked !== null) return [[one, picked]];
    const where = team !== null && isOfTeam(one) ? ` in the team ${team}` : '';
    return isLast === true ? [[one, unknownNamed(given, { where, candidates })]] : [];
  });
  return succeeded(new Map(all));
}

/** Finds the records of all kinds that are asked for, in one request. */
async function lookedUp(call: CallRow, asked: readonly Named[], filterOf: (one: Named) => Filter) {
  const filters: Partial<Record<Kind, Filter>> = {};
  for (const kind of new Set(asked.map((one) => one.kind))) {
    const wanted = asked.filter((one) => one.kind === kind).map(filterOf);
    filters[kind] = wanted.length === 1 ? (wanted[0] ?? {}) : { or: wanted };
  }
  const { projectStatuses, users, ...others } = filters;
  const isForFilters = asked.every(({ use }) => use === 'filter');
  const input = {
    ...others,
    ...(users === undefined ? {} : { users: isForFilters ? users : { and: [users, { active: { eq: true } }] } }),
    ...(isForFilters ? { includeArchived: true, includeDisabled: true } : {}),
  };
  const statuses = projectStatuses === undefined ? null : await call('project_statuses.list', {});
  if (statuses?.ok === false) return statuses;
  const isAsked = Object.keys(others).length > 0 || users !== undefined;
  const answer = isAsked ? await call('names.find', input) : succeeded({});
  return parsed(
    answer.ok ? succeeded({ ...Object(answer.data), projectStatuses: statuses?.data }) : answer,
    foundRecords,
  );
}

/** The inputs with what their names stand for. */
function filledIn(
  named: Readonly<Record<string, NamedInput>>,
  inputs: Inputs,
  given: readonly Named[],
  all: Found,
): Inputs {
  const conditions = given.map((one) => own(named, one.input)?.filters?.(matchesOf(one, all.get(one))));
  const filter = allOf([withFilter.parse(inputs).filter, ...conditions]);
  const filled = Object.entries(inputs).flatMap(([input, value]): readonly (readonly [string, unknown])[] => {
    const ids = given.filter((one) => one.input === input).map((one) => idOf(one, all.get(one)));
    if (ids.length === 0) return [[input, value]];
    return own(named, input)?.filters === undefined ? [[input, Array.isArray(value) ? ids : ids[0]]] : [];
  });
  return { ...Object.fromEntries(filled), ...(filter === null ? {} : { filter }) };
}

const withFilter = z.looseObject({ filter: z.record(z.string(), z.unknown()).optional() });

/** The id of a name; a name that was not looked up is one. */
const idOf = ({ name }: Named, picked: Outcome<PickedName> | undefined) =>
  picked?.ok === true ? (picked.data.ids[0] ?? name) : name;

/** Matches the records that a name stands for. Several are matched by their name, since not all may have been found. */
function matchesOf(one: Named, picked: Outcome<PickedName> | undefined): Filter {
  if (isNone(one.name)) return { null: true };
  // A status that no project has may have no id that is known.
  const isOne = picked?.ok !== true || (picked.data.ids.length === 1 && one.kind !== 'projectStatuses');
  return isOne ? { id: { eq: idOf(one, picked) } } : kindFacts[one.kind].exact(picked.data.name);
}

/** One failure of several, with the errors of all. */
function joined([first, ...others]: readonly [Failure, ...Failure[]]): Failure {
  const all = [first, ...others];
  const inputErrors = all.flatMap((one) => one.inputErrors ?? []);
  return { ...first, message: all.map(({ message }) => message).join(' '), inputErrors };
}
