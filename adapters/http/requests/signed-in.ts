import { credentialsOf } from '#adapters/http/middleware/authentication.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { Caller, IdentifyCaller } from '#application/session/identify-caller.ts';
import { isLimited } from '#domain/users/rights.ts';
import { guestUserId } from '#domain/users/user.ts';

/**
 * Who is signed in by a cookie, as `findSignedIn` tells; for the pages on which sessions and codes are made. A bearer token counts
 * for nothing there: what it would get would outlive it.
 */
export async function findInBrowser(ctx: Visit, identifyCaller: IdentifyCaller): Promise<Caller | null> {
  return credentialsOf(ctx.req.headers).bearer === null ? findSignedIn(ctx, identifyCaller) : null;
}

/**
 * Who is signed in, for the public pages: null for nobody, for a session that does not count, for the guest, and for an access
 * token that does not mean everything.
 */
export async function findSignedIn(ctx: Visit, identifyCaller: IdentifyCaller): Promise<Caller | null> {
  const identified = await identifyCaller.run(credentialsOf(ctx.req.headers));
  if (!identified.ok) return null;
  const { user } = identified.value;
  return user.id === guestUserId || isLimited(user) ? null : identified.value;
}
