import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { seeOther } from '#adapters/http/people/person-forms.ts';
import type { ShowUsers, UserRoutesDependencies } from '#adapters/http/people/user-dependencies.ts';
import { badNotice, userAnswers, userTexts } from '#adapters/http/people/user-texts.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';

/** The maximum number of people who are invited at once. */
export const maxInvited = 50;

type Parts = Readonly<{
  /** Makes the route of a form. */
  form: (path: string, run: (ctx: RouteContext) => Promise<void>) => Route;
  list: ShowUsers;
}>;

/** What came of one line of a pasted list. */
type Invited = Readonly<{ email: string; link: string | null; problem: string | null }>;

/** Serves the forms that invite people, one or a pasted list, and that set the rights of new ones (USER-009, USER-026). */
export function inviteRoutes(dependencies: UserRoutesDependencies, { form, list }: Parts): readonly Route[] {
  const { users, manage, defaults, names, linkFor } = dependencies;
  const invite = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const given = [...fields.getAll('email'), ...fields.getAll('emails').flatMap((text) => text.split(/[\n,;]/))];
    const emails = [...new Set(given.map((line) => line.trim()).filter((line) => line !== ''))];
    if (emails.length === 0) return list(ctx, badNotice(userTexts.invalid_email), 400);
    if (emails.length > maxInvited) {
      return list(ctx, badNotice(`Invite at most ${maxInvited} people at once; these are ${emails.length}.`), 400);
    }
    const like = fieldOf(fields, 'like').trim();
    const model = like === '' ? null : await users.findByEmail(like);
    if (like !== '' && model === null) return list(ctx, badNotice('There is no user with that e-mail.'), 404);
    const permissions = model?.user.permissions ?? fields.getAll('permissions');
    const unknown = permissions.find((one) => !names.keys.includes(one));
    if (unknown !== undefined) {
      return list(ctx, badNotice(`There is no permission “${shownText(unknown, 60)}”.`), 400);
    }
    const results: Invited[] = [];
    for (const email of emails) {
      const isAdmin = model === null && fields.has('admin');
      const invited = await manage.invite({ email, permissions, isAdmin }, userOf(ctx).id);
      if (invited.ok) results.push({ email: invited.value.email, link: await linkFor(invited.value), problem: null });
      else if (emails.length > 1) results.push({ email, link: null, problem: userTexts[invited.failure.reason] });
      else return list(ctx, badNotice(userTexts[invited.failure.reason]), userAnswers[invited.failure.reason].status);
    }
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'users-invited', {
      invited: results.map((one) => ({ ...one, email: shownText(one.email, 254) })),
      added: results.filter(({ link }) => link !== null).length,
    });
  };
  const setDefaults = async (ctx: RouteContext): Promise<void> => {
    await defaults.set(formFields(ctx).getAll('permissions'), userOf(ctx).id);
    seeOther(ctx, '/users?done=defaults');
  };
  return [form('/users/invite', invite), form('/users/defaults', setDefaults)];
}
