import { z } from 'zod';
import { sendFailure, sendProblem } from '#adapters/http/answers/problem.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { checkInput } from '#adapters/input/check-input.ts';
import { wholeNumber } from '#adapters/input/texts.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { Users } from '#application/ports/users.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import type { ManagedChange, ManageUsers } from '#application/users/manage-users.ts';
import type { PasswordLinks } from '#application/users/password-links.ts';
import type { Connection } from '#domain/connections/connection.ts';
import { errorsText, forPeople, type InputError } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isActive } from '#domain/sessions/session.ts';
import { isEmail } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';

type UserRoutesDependencies = Readonly<{
  users: Pick<Users, 'list' | 'find'>;
  manage: ManageUsers;
  links: PasswordLinks;
  connections: (user: User) => Promise<readonly Connection[]>;
  formGuard: FormGuard;
  names: ServiceNames;
  baseUrl: string;
  automation: AutomationUser;
  note: NoteAct;
}>;

type Shown = Readonly<{ kind: 'good' | 'bad'; text: string; link?: string | null }>;

const purpose = 'users';
const texts = {
  invalid_email: 'This is not an e-mail address.',
  email_taken: 'There is already a user with this e-mail.',
  unknown_user: 'There is no such user.',
  last_admin: 'This is the last administrator: make another user an administrator first.',
  automation_user:
    'This is the automation user: deliveries, reactions and webhooks work over their connections. Set AUTOMATION_USER_ID to another user, who connects the services, and start the server again; then deactivate this one.',
  busy: 'Another administrator is changing administrators at the moment. Try again.',
} as const;
/** How each failure is answered: its status, and its reason in JSON (ERR-003, ERR-011). */
const answers = {
  invalid_email: { status: 400, reason: 'invalid_input' },
  email_taken: { status: 409, reason: 'email_taken' },
  unknown_user: { status: 404, reason: 'not_found' },
  last_admin: { status: 409, reason: 'last_admin' },
  automation_user: { status: 409, reason: 'automation_user' },
  busy: { status: 409, reason: 'conflict' },
} as const;
const idSchema = wholeNumber(1);

/** The bodies of the JSON routes, on a server of these services, whose keys are the permissions. */
function userInputs(services: readonly ServiceKey[]) {
  const permissions = z.array(z.enum(services)).max(100);
  const email = z.string().max(254);
  return {
    permissions,
    invited: z.strictObject({
      email: email.refine((text) => isEmail(text.trim()), { error: 'must be an e-mail address' }),
      permissions: permissions.default([]),
      admin: z.boolean().default(false),
    }),
    changed: z.strictObject({
      permissions: permissions.optional(),
      admin: z.boolean().optional(),
      active: z.boolean().optional(),
    }),
  };
}

/**
 * Serves the users of the server to administrators in a browser: the page /users and the same below /api/users
 * (USER-009 to USER-013).
 */
export function userRoutes(dependencies: UserRoutesDependencies): readonly Route[] {
  const { users, manage, links, connections, formGuard, names, baseUrl, automation, note } = dependencies;
  const inputs = userInputs(names.keys);
  const by = (ctx: RouteContext): number => userOf(ctx).id;
  const linkFor = async (user: User): Promise<string | null> => {
    const link = await links.make(user);
    return link === null ? null : `${baseUrl}/welcome?link=${link}`;
  };
  const asJson = async (user: User) => ({
    id: user.id,
    email: user.email,
    permissions: user.permissions,
    admin: user.isAdmin,
    active: isActive(user),
    automation: user.id === automation.id,
    connections: (await connections(user)).map(({ service, state }) => ({ service, state })),
  });
  const show = async (ctx: RouteContext, shown: Shown | null, status = 200): Promise<void> => {
    const all = await Promise.all(
      (await users.list()).map(async (user) => ({
        id: user.id,
        email: user.email,
        isAdmin: user.isAdmin,
        mayUse: user.permissions.length === 0 ? 'nothing yet' : user.permissions.map((key) => names.of(key)).join(', '),
        isActive: isActive(user),
        isYou: user.id === userOf(ctx).id,
        isAutomation: user.id === automation.id,
        services: names.keys.map((key) => ({ key, name: names.of(key), isTicked: user.permissions.includes(key) })),
        connections: (await connections(user))
          .map(({ service, state }) => `${names.of(service)}: ${state}`)
          .join(' · '),
      })),
    );
    const services = names.keys.map((key) => ({ key, name: names.of(key) }));
    const hidden = hiddenFor(ctx, formGuard, purpose);
    const warning = await automation.reasonToWait();
    const notice = shown ?? (warning === null ? null : { kind: 'bad', text: warning });
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'users', { users: all, services, notice, link: shown?.link ?? null, hidden }, { status });
  };
  const invite = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const permissions = checkInput(inputs.permissions, fields.getAll('permissions'));
    if (!permissions.ok) return unknownPermission(ctx, permissions.failure);
    const invitation = {
      email: fieldOf(fields, 'email'),
      permissions: permissions.value,
      isAdmin: fields.has('admin'),
    };
    const invited = await manage.invite(invitation, by(ctx));
    if (!invited.ok) return refused(ctx, invited.failure.reason);
    const text = `${invited.value.email} was added. Send them this link: it works once, within three days.`;
    return show(ctx, { kind: 'good', text, link: await linkFor(invited.value) });
  };
  const refused = (ctx: RouteContext, reason: keyof typeof texts): Promise<void> =>
    show(ctx, { kind: 'bad', text: texts[reason] }, answers[reason].status);
  const unknownPermission = (ctx: RouteContext, errors: readonly InputError[]): Promise<void> =>
    show(ctx, { kind: 'bad', text: shownText(forPeople(errorsText(errors)), 1_000) }, 400);
  const change = async (ctx: RouteContext, wanted: ManagedChange): Promise<void> => {
    const changed = await manage.change(idOf(ctx), wanted, by(ctx));
    if (!changed.ok) return refused(ctx, changed.failure.reason);
    return show(ctx, { kind: 'good', text: `Saved the permissions of ${changed.value.email}.` });
  };
  const rights = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const permissions = checkInput(inputs.permissions, fields.getAll('permissions'));
    if (!permissions.ok) return unknownPermission(ctx, permissions.failure);
    return change(ctx, { permissions: permissions.value, isAdmin: fields.has('admin') });
  };
  const link = async (ctx: RouteContext): Promise<void> => {
    const user = await users.find(idOf(ctx));
    if (user === null || !isActive(user)) return refused(ctx, 'unknown_user');
    await note({ action: 'user.password_link_made', by: by(ctx), userId: user.id });
    const text = `Send ${user.email} this link to set a new password. It works once, within three days.`;
    return show(ctx, { kind: 'good', text, link: await linkFor(user) });
  };
  const refusedJson = (ctx: RouteContext, reason: keyof typeof texts): void =>
    sendProblem(ctx, { ...answers[reason], detail: texts[reason] });
  const json = {
    list: async (ctx: RouteContext): Promise<void> => {
      ctx.body = { data: await Promise.all((await users.list()).map(asJson)), ...unreadableMember(ctx, 'users') };
    },
    invite: async (ctx: RouteContext): Promise<void> => {
      const given = checkedBody(ctx, inputs.invited);
      if (!given.ok) return sendFailure(ctx, given.failure);
      const { email, permissions: keys, admin } = given.value;
      const invited = await manage.invite({ email, permissions: keys, isAdmin: admin }, by(ctx));
      if (!invited.ok) return refusedJson(ctx, invited.failure.reason);
      ctx.status = 201;
      ctx.body = { ...(await asJson(invited.value)), link: await linkFor(invited.value) };
    },
    change: async (ctx: RouteContext): Promise<void> => {
      const given = checkedBody(ctx, inputs.changed);
      if (!given.ok) return sendFailure(ctx, given.failure);
      const { permissions: keys, admin, active } = given.value;
      const wanted = {
        ...(keys === undefined ? {} : { permissions: keys }),
        ...(admin === undefined ? {} : { isAdmin: admin }),
        ...(active === undefined ? {} : { isActive: active }),
      };
      const changed = await manage.change(idOf(ctx), wanted, by(ctx));
      if (!changed.ok) return refusedJson(ctx, changed.failure.reason);
      ctx.body = await asJson(changed.value);
    },
  };
  const ours = { who: 'person', permission: 'administrator' } as const;
  const form = (path: string, run: (ctx: RouteContext) => Promise<void>): Route => ({
    ...ours,
    method: 'POST',
    path,
    body: 'form',
    run: genuine(formGuard, purpose, run),
  });
  const read = { ...ours, method: 'GET', body: 'none' } as const;
  return [
    { ...read, path: '/users', run: (ctx) => show(ctx, null) },
    form('/users/invite', invite),
    form('/users/:id/rights', rights),
    form('/users/:id/deactivate', (ctx) => change(ctx, { isActive: false })),
    form('/users/:id/activate', (ctx) => change(ctx, { isActive: true })),
    form('/users/:id/link', link),
    { ...read, path: '/api/users', run: json.list },
    { ...ours, method: 'POST', path: '/api/users', body: 'json', run: json.invite },
    { ...ours, method: 'PATCH', path: '/api/users/:id', body: 'json', run: json.change },
  ];
}

/** The id in the path; 0, which no user has, for an invalid one. */
function idOf(ctx: RouteContext): number {
  return idSchema.safeParse(parameterOf(ctx, 'id')).data ?? 0;
}
