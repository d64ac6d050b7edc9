import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Users } from '#application/ports/users.ts';
import { formerCookiesCountForMs } from '#domain/sessions/session.ts';

/** The name of the fact that stores when sessions were first stored here; 0 for a server that never was without. */
const upgradeFact = 'sessions_stored_since';

/**
 * Returns until when cookies from before sessions were stored count as persons' (SESS-023), in Unix ms. The moment of
 * the upgrade is stored by the first server that starts with users who may have such a cookie.
 */
export async function formerCookiesUntil(
  { serverFacts, users }: Readonly<{ serverFacts: ServerFacts; users: Pick<Users, 'page'> }>,
  now: number,
): Promise<number> {
  const known = await serverFacts.find(upgradeFact);
  const hasUsers = async (): Promise<boolean> => (await users.page({ limit: 1 })).length > 0;
  const since = known ?? (await serverFacts.keepFirst(upgradeFact, (await hasUsers()) ? `${now}` : '0'));
  return Number(since) + formerCookiesCountForMs;
}
