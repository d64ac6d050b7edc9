import { maxPasswordLength, minPasswordLength } from '#domain/users/password.ts';

/** Why a password was not set. */
type Reason = 'wrong_password' | 'rate_limited' | 'unknown_link' | 'password_too_short' | 'password_too_long';

const texts: Readonly<Record<Reason, string>> = {
  wrong_password: 'The present password is not right. Nothing was changed.',
  rate_limited: 'Too many tries. Wait a few minutes and try again.',
  unknown_link: 'This link is used, or older than three days. Ask an administrator for a new one.',
  password_too_short: `A password needs at least ${minPasswordLength} characters.`,
  password_too_long: `A password may have ${maxPasswordLength} characters.`,
};

/** The sentence for a user whose password was not set. */
export function passwordText(reason: Reason): string {
  return texts[reason];
}
