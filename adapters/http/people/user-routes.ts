import { shownText } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, seeOther } from '#adapters/http/people/person-forms.ts';
import {
  idSchema,
  type ShowUsers,
  type UserRoutesDependencies,
  userIdIn,
  usersPurpose,
} from '#adapters/http/people/user-dependencies.ts';
import { inviteRoutes } from '#adapters/http/people/user-invite.ts';
import { givenName } from '#adapters/http/people/user-query.ts';
import { askToLeave, showUser, showUsers, waitingNotice } from '#adapters/http/people/user-shown.ts';
import {
  badNotice,
  type Done,
  doneNotice,
  leftQuery,
  type UserFailureReason,
  userAnswers,
  userTexts,
} from '#adapters/http/people/user-texts.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { LeftUser, ManageFailure } from '#application/users/manage-users.ts';
import { isActive } from '#domain/sessions/session.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** The maximum number of users that are changed at once. */
const maxAtOnce = 50;

/** Serves the users of the server to administrators in a browser: the page /users, and one of each user (USER-009 to USER-031). */
export function userRoutes(dependencies: UserRoutesDependencies): readonly Route[] {
  const { users, manage, apps, names, formGuard, automation, disconnect, linkFor, note } = dependencies;
  const by = (ctx: RouteContext): number => userOf(ctx).id;
  const list: ShowUsers = (ctx, notice, status = 200) => showUsers(ctx, dependencies, { notice, status });
  const refused = (ctx: RouteContext, reason: UserFailureReason): Promise<void> => {
    const notice = badNotice(userTexts[reason]);
    const { status } = userAnswers[reason];
    return reason === 'unknown_user' ? list(ctx, notice, status) : showUser(ctx, dependencies, { notice, status });
  };
  const done = (ctx: RouteContext, what: Done): void => seeOther(ctx, `/users/${userIdIn(ctx)}?done=${what}`);
  const rights = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const like = fieldOf(fields, 'like').trim();
    const model = like === '' ? null : await users.findByEmail(like);
    if (like !== '' && model === null) {
      return showUser(ctx, dependencies, { notice: badNotice('There is no user with that e-mail.'), status: 404 });
    }
    const permissions = model?.user.permissions ?? fields.getAll('permissions');
    const unknown = permissions.find((one) => !names.keys.includes(one));
    if (unknown !== undefined) {
      const notice = badNotice(`There is no permission “${shownText(unknown, 60)}”.`);
      return showUser(ctx, dependencies, { notice, status: 400 });
    }
    const wanted = { permissions, isAdmin: model === null ? fields.has('admin') : undefined };
    const { isAdmin, ...rest } = wanted;
    const change = isAdmin === undefined ? rest : { ...rest, isAdmin };
    const changed = await manage.change(userIdIn(ctx), change, by(ctx));
    return changed.ok ? done(ctx, 'rights') : refused(ctx, changed.failure.reason);
  };
  const rename = async (ctx: RouteContext): Promise<void> => {
    const name = givenName(fieldOf(formFields(ctx), 'name'));
    return (await users.change(userIdIn(ctx), { name })) ? done(ctx, 'name') : refused(ctx, 'unknown_user');
  };
  const activate = async (ctx: RouteContext): Promise<void> => {
    const changed = await manage.change(userIdIn(ctx), { isActive: true }, by(ctx));
    return changed.ok ? done(ctx, 'activated') : refused(ctx, changed.failure.reason);
  };
  const leave =
    (what: 'deactivated' | 'deleted', act: (id: number, by: number) => Promise<Result<LeftUser, ManageFailure>>) =>
    async (ctx: RouteContext): Promise<void> => {
      const left = await act(userIdIn(ctx), by(ctx));
      if (!left.ok) return refused(ctx, left.failure.reason);
      const place = what === 'deleted' ? '/users' : `/users/${userIdIn(ctx)}`;
      return seeOther(ctx, `${place}?${leftQuery(what, [left.value])}`);
    };
  const link = async (ctx: RouteContext): Promise<void> => {
    const user = await users.find(userIdIn(ctx));
    if (user === null || !isActive(user)) return refused(ctx, 'unknown_user');
    await note({ action: 'user.password_link_made', by: by(ctx), userId: user.id });
    const text = `Send ${user.email} this link to set a new password. It works once, within three days.`;
    return showUser(ctx, dependencies, { notice: { kind: 'good', text }, link: await linkFor(user) });
  };
  const disconnectOne = async (ctx: RouteContext): Promise<void> => {
    const service = fieldOf(formFields(ctx), 'service');
    const revoked = await disconnect(userIdIn(ctx), service);
    if (revoked === null) {
      return showUser(ctx, dependencies, { notice: badNotice('There is no such connection.'), status: 404 });
    }
    await note({ action: 'connection.disconnected', by: by(ctx), userId: userIdIn(ctx), subject: service });
    return done(ctx, revoked ? 'disconnected' : 'disconnected_here');
  };
  const revokeApp = async (ctx: RouteContext): Promise<void> => {
    const [user, app] = [await users.find(userIdIn(ctx)), fieldOf(formFields(ctx), 'app')];
    const isRevoked = user !== null && (await apps.revoke(user, app));
    if (!isRevoked) {
      return showUser(ctx, dependencies, { notice: badNotice('There is no such app.'), status: 404 });
    }
    await note({ action: 'app.revoked', by: by(ctx), userId: user.id, subject: app });
    return done(ctx, 'revoked');
  };
  const several = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const ids = [...new Set(fields.getAll('user'))].flatMap((id) => idSchema.safeParse(id).data ?? []);
    if (ids.length === 0 || ids.length > maxAtOnce) {
      return list(ctx, badNotice(`Select 1 to ${maxAtOnce} users.`), 400);
    }
    const found = await users.findAll(ids);
    const act = fieldOf(fields, 'do');
    const isSure = fieldOf(fields, 'sure') === '1';
    if (act === 'deactivate' && !isSure) return askToLeave(ctx, dependencies, { users: found, isDelete: false });
    if (act === 'deactivate') return deactivateAll(ctx, found);
    const permission = fieldOf(fields, 'permission');
    if ((act !== 'permit' && act !== 'revoke') || !names.keys.includes(permission)) {
      return list(ctx, badNotice('Choose what to do, and a permission.'), 400);
    }
    for (const user of found) {
      const others = user.permissions.filter((key) => key !== permission);
      await manage.change(user.id, { permissions: act === 'permit' ? [...others, permission] : others }, by(ctx));
    }
    return seeOther(ctx, '/users?done=rights');
  };
  const deactivateAll = async (ctx: RouteContext, found: readonly User[]): Promise<void> => {
    const left: LeftUser[] = [];
    const reasons = new Set<string>();
    for (const user of found) {
      const gone = await manage.deactivate(user.id, by(ctx));
      if (gone.ok) left.push(gone.value);
      else reasons.add(`${user.email}: ${userTexts[gone.failure.reason]}`);
    }
    if (reasons.size > 0) return list(ctx, badNotice([...reasons].join(' ')), 409);
    return seeOther(ctx, `/users?${leftQuery('deactivated', left)}`);
  };
  const ask =
    (isDelete: boolean) =>
    async (ctx: RouteContext): Promise<void> => {
      const user = await users.find(userIdIn(ctx));
      if (user === null) return refused(ctx, 'unknown_user');
      return askToLeave(ctx, dependencies, { users: [user], isDelete });
    };
  const ours = { who: 'person', permission: 'administrator' } as const;
  const form = (path: string, run: (ctx: RouteContext) => Promise<void> | void): Route => ({
    ...ours,
    method: 'POST',
    path,
    body: 'form',
    run: genuine(formGuard, usersPurpose, async (ctx) => run(ctx)),
  });
  const read = { ...ours, method: 'GET', body: 'none' } as const;
  return [
    { ...read, path: '/users', run: async (ctx) => list(ctx, await waitingNotice(ctx, automation)) },
    ...inviteRoutes(dependencies, { form, list }),
    form('/users/several', several),
    { ...read, path: '/users/:id', run: (ctx) => showUser(ctx, dependencies, { notice: doneNotice(ctx.query) }) },
    form('/users/:id/rights', rights),
    form('/users/:id/name', rename),
    { ...read, path: '/users/:id/deactivate', run: ask(false) },
    form(
      '/users/:id/deactivate',
      leave('deactivated', (id, who) => manage.deactivate(id, who)),
    ),
    form('/users/:id/activate', activate),
    { ...read, path: '/users/:id/delete', run: ask(true) },
    form(
      '/users/:id/delete',
      leave('deleted', (id, who) => manage.remove(id, who)),
    ),
    form('/users/:id/link', link),
    form('/users/:id/disconnect', disconnectOne),
    form('/users/:id/revoke-app', revokeApp),
  ];
}
