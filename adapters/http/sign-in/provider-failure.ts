import type { SignInFailure } from '#application/sign-in/provider-sign-in.ts';

/** What a page says of a sign-in that failed. */
export type FailurePage = Readonly<{ status: number; title: string; text: string }>;

type Reason = SignInFailure['reason'];

/** Returns the page for a sign-in that failed, with the next step. `admin` is whom to ask: an e-mail, or 'an administrator'. */
export function failurePage(failure: SignInFailure, admin: string): FailurePage {
  const who = 'email' in failure && failure.email !== null ? `You signed in as ${failure.email}. ` : '';
  const { status, title, text } = pages(admin)[failure.reason];
  return { status, title, text: `${who}${text}` };
}

function pages(admin: string): Readonly<Record<Reason, FailurePage>> {
  return {
    unknown_state: page(
      400,
      'This sign-in has expired',
      'It was begun more than ten minutes ago, in another browser, or it was finished already. Start again.',
    ),
    too_long: page(
      400,
      'This request is too long',
      'The app sent more than can be carried through a sign-in. Sign in here first; then connect the app again.',
    ),
    provider_unavailable: page(
      502,
      'Single sign-on does not answer',
      `Your identity provider cannot be reached at the moment. Try again in a few minutes. If it goes on, ask ${admin}, who can make a sign-in link for you.`,
    ),
    provider_denied: page(
      403,
      'You were not signed in',
      'Your identity provider did not sign you in, or you stopped it there. Try again.',
    ),
    invalid_answer: page(
      502,
      'The answer of single sign-on cannot be trusted',
      `Nobody was signed in. Try again; if it happens again, tell ${admin}: the log of the server says what was wrong.`,
    ),
    email_not_verified: page(
      403,
      'Your e-mail is not verified',
      `Your identity provider does not say that this e-mail is yours. Verify it there, or ask ${admin}.`,
    ),
    not_invited: page(403, 'Your account is not invited', `Nobody has invited you to this server. Ask ${admin}.`),
    account_exists: page(
      403,
      'There is an account with this e-mail already',
      `It is not linked to this sign-in, and an e-mail alone does not open it. Sign in to it with its password or with a link from ${admin}; then link single sign-on on the page Account.`,
    ),
    deactivated: page(403, 'Your account is deactivated', `Ask ${admin} if you need it again.`),
    deleted: page(403, 'Your account was deleted', `Ask ${admin} for an invitation if you need one again.`),
    busy: page(409, 'This did not work', 'Somebody with the same e-mail signs in at the moment. Try again.'),
    identity_taken: page(
      409,
      'This sign-in belongs to another account',
      `It is linked to another account of this server. Sign in to that one and unlink it there, or ask ${admin}.`,
    ),
  };
}

function page(status: number, title: string, text: string): FailurePage {
  return { status, title, text };
}
