import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { shownAge, shownTime, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { browserWords } from '#adapters/http/people/browser-words.ts';
import { accountPurpose, genuine, seeOther } from '#adapters/http/people/person-forms.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { OwnSessions } from '#application/session/own-sessions.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import type { User } from '#domain/users/user.ts';

/** The maximum number of sessions shown at once. */
const maxShown = 50;

const unknownText = 'You have no session with that id.';

/** The person's sessions as the page /account shows them, this one first. */
export async function shownSessions(sessions: OwnSessions, user: User, reader: TimeReader) {
  const all = await sessions.list(user);
  const isThis = ({ id }: PersonSession) => id === user.signedInBy;
  const ordered = [...all.filter(isThis), ...all.filter((session) => !isThis(session))];
  return {
    more: Math.max(0, all.length - maxShown),
    list: ordered.slice(0, maxShown).map((session) => ({
      id: session.id,
      isThis: isThis(session),
      browser: browserWords(session.userAgent),
      begun: shownTime(session.begunAt, reader.timeZone),
      lastSeen: shownAge(session.lastSeenAt ?? session.begunAt, reader),
    })),
  };
}

/** Serves the person's sessions: the forms on /account, and the same as JSON (ACCT-007 to ACCT-009). */
export function sessionRoutes({
  sessions,
  formGuard,
}: Readonly<{ sessions: OwnSessions; formGuard: FormGuard }>): readonly Route[] {
  const endOne = async (ctx: RouteContext): Promise<void> => {
    if (await sessions.end(userOf(ctx), parameterOf(ctx, 'id'))) seeOther(ctx, '/account?done=session#sessions');
    else refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
  };
  const endOthers = async (ctx: RouteContext): Promise<void> => {
    await sessions.endOthers(userOf(ctx));
    seeOther(ctx, '/account?done=sessions#sessions');
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const all = (await sessions.list(user)).slice(0, maxShown);
    ctx.body = { data: all.map((session) => asJson(session, user)) };
  };
  const remove = async (ctx: RouteContext): Promise<void> => {
    const id = parameterOf(ctx, 'id');
    if (await sessions.end(userOf(ctx), id)) ctx.body = { id, state: 'ended' };
    else sendFailure(ctx, failed('not_found', unknownText));
  };
  const route = { who: 'person', body: 'none' } as const;
  const form = (run: (ctx: RouteContext) => Promise<void>) =>
    ({ who: 'person', method: 'POST', body: 'form', run: genuine(formGuard, accountPurpose, run) }) as const;
  return [
    { ...form(endOthers), path: '/account/sessions/end-others' },
    { ...form(endOne), path: '/account/sessions/:id/end' },
    { ...route, method: 'GET', path: '/api/account/sessions', run: list },
    { ...route, method: 'DELETE', path: '/api/account/sessions/:id', run: remove },
  ];
}

function asJson({ id, begunBy, begunAt, expiresAt, userAgent, lastSeenAt = null }: PersonSession, user: User) {
  return {
    id,
    current: id === user.signedInBy,
    browser: browserWords(userAgent),
    begun_by: begunBy,
    begun_at: begunAt,
    last_seen_at: lastSeenAt,
    expires_at: expiresAt,
  };
}
