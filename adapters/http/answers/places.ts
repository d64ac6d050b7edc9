import { isBelow } from '#adapters/http/answers/below.ts';
import type { GlyphName } from '#adapters/http/answers/glyphs.ts';
import { guestUserId, type User } from '#domain/users/user.ts';

/** A place that the navigation leads to. */
type Place = Readonly<{ path: string; text: string; sign: GlyphName; for: 'all' | 'users' | 'admins' }>;

/** All places, in their order. One whose route does not exist is left out. */
const places: readonly Place[] = [
  { path: '/floki/index', text: 'Home', sign: 'home', for: 'all' },
  { path: '/page', text: 'Connections', sign: 'connections', for: 'all' },
  { path: '/apps', text: 'Apps', sign: 'apps', for: 'users' },
  { path: '/activity', text: 'Activity', sign: 'activity', for: 'users' },
  { path: '/account', text: 'Account', sign: 'account', for: 'users' },
  { path: '/users', text: 'Users', sign: 'users', for: 'admins' },
  { path: '/setup', text: 'Set up', sign: 'setup', for: 'admins' },
  { path: '/deliveries', text: 'Deliveries', sign: 'deliveries', for: 'admins' },
  { path: '/reactions', text: 'Reactions', sign: 'reactions', for: 'admins' },
];

/** A place in the navigation of one page. */
export type ShownPlace = Readonly<{ path: string; text: string; sign: GlyphName; isCurrent: boolean }>;

/** The frame around a page of a user: where they can go from here, and as whom. `email` is null for the guest. */
export type Frame = Readonly<{
  places: readonly ShownPlace[];
  adminPlaces: readonly ShownPlace[];
  email: string | null;
}>;

/** The frame for a user at a path, on a server with pages at `paths`. */
export function frameFor(user: User, path: string, paths: ReadonlySet<string>): Frame {
  const isGuest = user.id === guestUserId;
  const shown = (groups: readonly Place['for'][]): readonly ShownPlace[] =>
    places
      .filter((place) => paths.has(place.path) && groups.includes(place.for))
      .map((place) => ({ ...place, isCurrent: isBelow(path, place.path) }));
  return {
    places: shown(isGuest ? ['all'] : ['all', 'users']),
    adminPlaces: user.isAdmin && !isGuest ? shown(['admins']) : [],
    email: isGuest ? null : user.email,
  };
}
