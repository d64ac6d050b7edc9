import type { GlyphName } from '#adapters/http/answers/glyphs.ts';
import { guestUserId, type User } from '#domain/users/user.ts';

/** A link of the navigation. */
type Place = Readonly<{ path: string; text: string; sign: GlyphName; for: 'all' | 'users' | 'admins' }>;

/** All links of the navigation, in order. Those without an existing route are omitted. */
const places: readonly Place[] = [
  { path: '/floki/index', text: 'Home', sign: 'home', for: 'all' },
  { path: '/page', text: 'Connections', sign: 'connections', for: 'all' },
  { path: '/apps', text: 'Apps', sign: 'apps', for: 'users' },
  { path: '/approvals', text: 'Approvals', sign: 'approvals', for: 'users' },
  { path: '/activity', text: 'Activity', sign: 'activity', for: 'users' },
  { path: '/account', text: 'Account', sign: 'account', for: 'users' },
  { path: '/users', text: 'Users', sign: 'users', for: 'admins' },
  { path: '/setup', text: 'Set up', sign: 'setup', for: 'admins' },
  { path: '/deliveries', text: 'Deliveries', sign: 'deliveries', for: 'admins' },
  { path: '/reactions', text: 'Reactions', sign: 'reactions', for: 'admins' },
  { path: '/audit', text: 'Audit log', sign: 'audit', for: 'admins' },
];

/** A link in the navigation of one page; `count` is how many things there wait for the user. */
export type ShownPlace = Readonly<{ path: string; text: string; sign: GlyphName; isCurrent: boolean; count: number }>;

/** The frame around a signed-in user's page: the navigation, and who is signed in. `email` is null for the guest. */
export type Frame = Readonly<{
  places: readonly ShownPlace[];
  adminPlaces: readonly ShownPlace[];
  email: string | null;
  /** Whether the user's time zone is known; else the page's script sends that of the browser (ACCT-004). */
  hasZone: boolean;
}>;

/** Builds the frame for a user's page at `path`, on a server with pages at `paths`; `waiting` is the number of approvals, `attention` that of what needs the user. */
export function frameFor(
  user: User,
  path: string,
  { paths, waiting, attention }: Readonly<{ paths: ReadonlySet<string>; waiting: number; attention: number }>,
): Frame {
  const isGuest = user.id === guestUserId;
  const counts = new Map([
    ['/approvals', waiting],
    ['/floki/index', attention],
  ]);
  const shown = (groups: readonly Place['for'][]): readonly ShownPlace[] =>
    places
      .filter((place) => paths.has(place.path) && groups.includes(place.for))
      .map((place) => ({
        ...place,
        isCurrent: isBelow(path, place.path),
        count: counts.get(place.path) ?? 0,
      }));
  return {
    places: shown(isGuest ? ['all'] : ['all', 'users']),
    adminPlaces: user.isAdmin && !isGuest ? shown(['admins']) : [],
    email: isGuest ? null : user.email,
    hasZone: isGuest || (user.timeZone ?? null) !== null,
  };
}

/** Whether a path is `place` itself or below it. */
export function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
