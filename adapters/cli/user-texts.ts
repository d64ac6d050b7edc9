import type { AddUserFailure } from '#application/users/add-user.ts';
import type { ChangeRightsFailure } from '#application/users/change-rights.ts';
import type { SetPasswordFailure } from '#application/users/set-password.ts';
import { maxPasswordLength, minPasswordLength } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

type Failure = AddUserFailure | ChangeRightsFailure | SetPasswordFailure;

/** The message for a failure, with the remedy. */
export function failureText(email: string, failure: Failure): string {
  switch (failure.reason) {
    case 'unknown_email': {
      const hint = failure.near.length === 0 ? 'The command list shows all users.' : meant(failure.near);
      return `There is no user with the e-mail ${email}. ${hint}`;
    }
    case 'invalid_email':
      return `${email} is not an e-mail. One looks like ada@example.com.`;
    case 'email_taken':
      return `There is a user with the e-mail ${email} already. E-mails that differ only in case are the same.`;
    case 'last_admin':
      return `${email} is the last administrator, and stays one. Make somebody else one first: permit <e-mail> --admin.`;
    case 'password_too_short':
      return `The password is too short: at least ${minPasswordLength} characters.`;
    case 'password_too_long':
      return `The password is too long: at most ${maxPasswordLength} characters.`;
  }
}

/** "Did you mean …?" */
export function meant(near: readonly string[]): string {
  return `Did you mean ${near.join(', or ')}?`;
}

/** Describes a user's permissions in a phrase. */
export function rightsText({ permissions, isAdmin }: User): string {
  const services = permissions.length === 0 ? 'no permissions' : permissions.join(', ');
  return isAdmin ? `administrator; ${services}` : services;
}

/** Prints the users as lines: id, e-mail, rights. */
export function userTable(users: readonly User[]): string {
  const rows = users.map((user) => [String(user.id), user.email, rightsText(user)] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(([id, email, rights]) => `${id.padStart(widths[0] ?? 0)}  ${email.padEnd(widths[1] ?? 0)}  ${rights}`)
    .join('\n');
}
