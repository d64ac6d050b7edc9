import { z } from 'zod';
import { pickNamed, unknownNamed } from '#adapters/services/name-lookup.ts';
import type { InputOf } from '#adapters/services/operation-table.ts';
import { type Filter, isId } from '#adapters/services/tracker/details/filters.ts';
import { candidate, isOfTeam, type Kind, kindFacts, shown } from '#adapters/services/tracker/details/kinds.ts';
import type { rows } from '#adapters/services/tracker/rows.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

type Rows = typeof rows;

/** Calls a row of the tracker. */
export type Call = <Name extends Extract<keyof Rows, string>>(
  name: Name,
  input: InputOf<Rows, Name>,
) => Promise<Outcome>;

/** A name or id that a caller gave. */
export type Named = Readonly<{ kind: Kind; name: string }>;

/** Returns the id for a name; a name that was not looked up is returned unchanged. */
export type IdOf = (kind: Kind, name: string) => string;

const list = z.array(candidate).default([]);
const found = z.object({
  teams: list,
  workflowStates: list,
  users: list,
  issueLabels: list,
  projects: list,
  cycles: list,
  initiatives: list,
});

/**
 * Resolves names to ids, all in one request; in none when all are already ids. States, cycles and labels are looked up
 * in `team` (id, key or name) if it is known. A second request, for the choices, is made only when a name is unknown.
 */
export async function resolveNames(call: Call, named: readonly Named[], team: string | null): Promise<Outcome<IdOf>> {
  const asked = named.filter(({ name }) => !isId(name));
  const ids = new Map<string, string>();
  const idOf: IdOf = (kind, name) => ids.get(keyOf({ kind, name })) ?? name;
  if (asked.length === 0) return succeeded(idOf);
  const answer = await lookUp(call, asked, (kind, name) => kindFacts[kind].exact(name, team));
  if (!answer.ok) return answer;
  const unknown: Named[] = [];
  const errors: Failure[] = [];
  for (const one of asked) {
    const picked = pickNamed(givenName(one), candidatesOf(one.kind, answer.data));
    if (picked === null) unknown.push(one);
    else if (picked.ok) ids.set(keyOf(one), picked.data);
    else errors.push(picked);
  }
  // Where the team is unknown, everything looked up in it is, too.
  const outer = unknown.some(({ kind }) => kind === 'teams') ? unknown.filter(({ kind }) => !isOfTeam(kind)) : unknown;
  if (outer.length > 0) errors.unshift(...(await unknownNames(call, outer, team)));
  const [first] = errors;
  if (first === undefined) return succeeded(idOf);
  return failed(first.reason, errors.map(({ message }) => message).join(' '));
}

const keyOf = ({ kind, name }: Named) => `${kind}:${name}`;

type Found = z.output<typeof found>;

async function lookUp(
  call: Call,
  asked: readonly Named[],
  filterOf: (kind: Kind, name: string) => Filter,
): Promise<Outcome<Found>> {
  const filters: Partial<Record<Kind, Filter>> = {};
  for (const kind of new Set(asked.map((one) => one.kind))) {
    const wanted = asked.filter((one) => one.kind === kind).map(({ name }) => filterOf(kind, name));
    filters[kind] = wanted.length === 1 ? (wanted[0] ?? {}) : { or: wanted };
  }
  const outcome = await call('names.find', filters);
  if (!outcome.ok) return outcome;
  const parsed = found.safeParse(outcome.data);
  return parsed.success
    ? succeeded(parsed.data)
    : failed('unavailable', 'The tracker answered with something that cannot be read.');
}

async function unknownNames(call: Call, unknown: readonly Named[], team: string | null): Promise<readonly Failure[]> {
  const near = await lookUp(call, unknown, (kind, name) => kindFacts[kind].choices(name, team));
  return unknown.map((one) => {
    const where = team !== null && isOfTeam(one.kind) ? ` in the team ${team}` : '';
    return unknownNamed(givenName(one), { where, candidates: near.ok ? candidatesOf(one.kind, near.data) : [] });
  });
}

const givenName = ({ kind, name }: Named) => ({ title: kindFacts[kind].title, plural: kindFacts[kind].plural, name });

const candidatesOf = (kind: Kind, found: Found) =>
  found[kind].map((one) => ({ id: one.id, called: [...kindFacts[kind].called(one), one.id], shown: shown(one) }));
