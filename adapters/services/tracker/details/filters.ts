import { own } from '#domain/shared/own.ts';

/** A filter of the tracker, as JSON. */
export type Filter = Readonly<Record<string, unknown>>;

/** Whether a text is an id rather than a name. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

const byId = (id: string): Filter => ({ id: { eq: id } });
const is = (text: string): Filter => ({ eqIgnoreCase: text });

/** A team by its id, key or name. */
export const teamIs = (team: string): Filter =>
  isId(team) ? byId(team) : { or: [{ key: is(team) }, { name: is(team) }] };

/** A user by id, "me", e-mail address or name. */
export function userIs(user: string): Filter {
  if (isId(user)) return byId(user);
  if (user.toLowerCase() === 'me') return { isMe: { eq: true } };
  if (user.includes('@')) return { email: is(user) };
  return { or: [{ displayName: is(user) }, { name: is(user) }] };
}

/** A record by id or name. */
export const nameIs = (name: string): Filter => (isId(name) ? byId(name) : { name: is(name) });

/** A project or initiative by id, name, or the last part of its address. */
export const slugIs = (name: string): Filter =>
  isId(name) ? byId(name) : { or: [{ name: is(name) }, { slugId: { eq: name } }] };

const cycleTimes: Readonly<Record<string, Filter>> = {
  current: { isActive: { eq: true } },
  next: { isNext: { eq: true } },
  previous: { isPrevious: { eq: true } },
};

/** A cycle by its id, number or name, or as "current", "next" or "previous". */
export function cycleIs(cycle: string): Filter {
  if (isId(cycle)) return byId(cycle);
  const time = own(cycleTimes, cycle.toLowerCase());
  if (time !== undefined) return time;
  return /^\d+$/.test(cycle) ? { or: [{ number: { eq: Number(cycle) } }, { name: is(cycle) }] } : { name: is(cycle) };
}

/** Combines the given filters with and; null when there are none. */
export function allOf(filters: readonly (Filter | null | undefined)[]): Filter | null {
  const given = filters.filter((filter) => filter != null);
  const [only, ...others] = given;
  if (only === undefined) return null;
  return others.length === 0 ? only : { and: given };
}

/** Builds a filter from a value, if there is one. */
export function when<Value>(value: Value | undefined, filter: (value: Value) => Filter): Filter | null {
  return value === undefined ? null : filter(value);
}
