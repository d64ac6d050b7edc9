import { z } from 'zod';
import { sendFailure, sendProblem } from '#adapters/http/answers/problem.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { type UserRoutesDependencies, userIdIn } from '#adapters/http/people/user-dependencies.ts';
import { filterIn, maxPerAnswer, usersJsonQuery } from '#adapters/http/people/user-query.ts';
import { type UserFailureReason, userAnswers, userTexts } from '#adapters/http/people/user-texts.ts';
import { checkedBody, checkedQuery } from '#adapters/http/requests/checked-input.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { isEmail } from '#domain/users/email.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';
import { userStateOf } from '#domain/users/user-state.ts';

/** The bodies of the routes, on a server of these services, whose keys are the permissions. */
function userInputs(services: readonly ServiceKey[]) {
  const permissions = z.array(z.enum(services)).max(100);
  const email = z.string().max(254);
  return {
    invited: z.strictObject({
      email: email.refine((text) => isEmail(text.trim()), { error: 'must be an e-mail address' }),
      permissions: permissions.optional(),
      admin: z.boolean().default(false),
    }),
    changed: z.strictObject({
      permissions: permissions.optional(),
      admin: z.boolean().optional(),
      active: z.boolean().optional(),
    }),
  };
}

/** Serves the users of the server as JSON below /api/users, to administrators in a browser (USER-009 to USER-013). */
export function userJsonRoutes(dependencies: UserRoutesDependencies): readonly Route[] {
  const { users, manage, defaults, disconnect, apps, stated, names, automation, linkFor, note } = dependencies;
  const inputs = userInputs(names.keys);
  const query = usersJsonQuery(names.keys);
  const refused = (ctx: RouteContext, reason: UserFailureReason): void =>
    sendProblem(ctx, { ...userAnswers[reason], detail: userTexts[reason] });
  const asJson = async (all: readonly User[]) => {
    const connections = await stated(all.map(({ id }) => id));
    return all.map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name ?? null,
      permissions: user.permissions,
      admin: user.isAdmin,
      active: isActive(user),
      state: userStateOf(user),
      automation: user.id === automation.id,
      last_seen_at: user.seenAt ?? null,
      connections: connections
        .filter(({ userId, service, isTeams }) => userId === user.id && (!isTeams || isPermitted(user, service)))
        .map(({ service, state }) => ({ service, state })),
    }));
  };
  const one = async (user: User) => (await asJson([user]))[0];
  const list = async (ctx: RouteContext): Promise<void> => {
    const given = checkedQuery(ctx, query);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const { limit = maxPerAnswer } = given.value;
    const found = await users.page({ ...filterIn(given.value), limit });
    const next = found.length === limit ? String(found.at(-1)?.id) : null;
    const pagination = { next, hasMore: next !== null };
    ctx.body = { data: await asJson(found), pagination, ...unreadableMember(ctx, 'users') };
  };
  const show = async (ctx: RouteContext): Promise<void> => {
    const [user] = await users.findAll([userIdIn(ctx)]);
    if (user === undefined) return refused(ctx, 'unknown_user');
    ctx.body = await one(user);
  };
  const invite = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, inputs.invited);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const { email, admin } = given.value;
    const permissions = given.value.permissions ?? (await defaults.find());
    const invited = await manage.invite({ email, permissions, isAdmin: admin }, userOf(ctx).id);
    if (!invited.ok) return refused(ctx, invited.failure.reason);
    ctx.status = 201;
    ctx.body = { ...(await one(invited.value)), link: await linkFor(invited.value) };
  };
  const change = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, inputs.changed);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const { permissions: keys, admin, active } = given.value;
    const wanted = {
      ...(keys === undefined ? {} : { permissions: keys }),
      ...(admin === undefined ? {} : { isAdmin: admin }),
      ...(active === undefined ? {} : { isActive: active }),
    };
    const changed = await manage.change(userIdIn(ctx), wanted, userOf(ctx).id);
    if (!changed.ok) return refused(ctx, changed.failure.reason);
    ctx.body = await one(changed.value);
  };
  const remove = async (ctx: RouteContext): Promise<void> => {
    const id = userIdIn(ctx);
    const removed = await manage.remove(id, userOf(ctx).id);
    if (!removed.ok) return refused(ctx, removed.failure.reason);
    const { user: _, ...ended } = removed.value;
    ctx.body = { id, state: 'deleted', ...ended };
  };
  const disconnectOne = async (ctx: RouteContext): Promise<void> => {
    const [id, service] = [userIdIn(ctx), parameterOf(ctx, 'service')];
    const revoked = (await users.find(id)) === null ? null : await disconnect(id, service);
    if (revoked === null) return sendFailure(ctx, failed('not_connected', 'This user has no such connection.'));
    await note({ action: 'connection.disconnected', by: userOf(ctx).id, userId: id, subject: service });
    ctx.body = { service, state: 'disconnected', revoked };
  };
  const revokeApp = async (ctx: RouteContext): Promise<void> => {
    const [id, app] = [userIdIn(ctx), parameterOf(ctx, 'app')];
    const user = await users.find(id);
    const isRevoked = user !== null && (await apps.revoke(user, app));
    if (!isRevoked) return sendFailure(ctx, failed('not_found', 'This user has no app with that id.'));
    await note({ action: 'app.revoked', by: userOf(ctx).id, userId: id, subject: app });
    ctx.body = { id: app, state: 'revoked' };
  };
  const ours = { who: 'person', permission: 'administrator', body: 'none' } as const;
  return [
    { ...ours, method: 'GET', path: '/api/users', hasQuery: true, run: list },
    { ...ours, method: 'POST', path: '/api/users', body: 'json', run: invite },
    { ...ours, method: 'GET', path: '/api/users/:id', run: show },
    { ...ours, method: 'PATCH', path: '/api/users/:id', body: 'json', run: change },
    { ...ours, method: 'DELETE', path: '/api/users/:id', run: remove },
    { ...ours, method: 'DELETE', path: '/api/users/:id/connections/:service', run: disconnectOne },
    { ...ours, method: 'DELETE', path: '/api/users/:id/apps/:app', run: revokeApp },
  ];
}
