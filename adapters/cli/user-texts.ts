import type { AddUserFailure } from '#application/users/add-user.ts';
import type { ChangeRightsFailure } from '#application/users/change-rights.ts';
import type { ManageFailure } from '#application/users/manage-users.ts';
import type { SetPasswordFailure } from '#application/users/set-password.ts';
import { maxPasswordLength, minPasswordLength } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';
import { userStateOf } from '#domain/users/user-state.ts';

type Failure = AddUserFailure | ChangeRightsFailure | SetPasswordFailure | ManageFailure;

/** The message for a failure, with the remedy. */
export function failureText(email: string, failure: Failure): string {
  switch (failure.reason) {
    case 'unknown_email': {
      const hint = failure.near.length === 0 ? 'Run the command list to see all users.' : meant(failure.near);
      return `There is no user with the e-mail ${email}. ${hint}`;
    }
    case 'invalid_email':
      return `${email} is not an e-mail. One looks like ada@example.com.`;
    case 'email_taken':
      return `There is already a user with the e-mail ${email}. E-mails that differ only in case are the same.`;
    case 'last_admin':
      return `${email} is the last administrator. Make another user an administrator first: permit <e-mail> --admin.`;
    case 'automation_user':
      return `${email} is the automation user, over whose connections deliveries, reactions and webhooks work. Set AUTOMATION_USER_ID to another user, who connects the services, and start the server again; then deactivate this one.`;
    case 'yourself':
      return `${email} is you. Another administrator can do that.`;
    case 'busy':
      return 'Another administrator is changing administrators at the moment. Try again.';
    case 'unknown_user':
      return `The user with the e-mail ${email} no longer exists.`;
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

/** Prints the users as lines: id, e-mail, rights, whether one is invited or deactivated, and which is the automation user. */
export function userTable(users: readonly User[], automationUserId: number): string {
  const rows = users.map((user) => {
    const state = userStateOf(user);
    const marks = [
      ...(state === 'active' ? [] : [state]),
      ...(user.id === automationUserId ? ['automation user'] : []),
    ];
    const rights = [rightsText(user), ...marks.map((mark) => `(${mark})`)].join(' ');
    return [String(user.id), user.email, rights] as const;
  });
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(([id, email, rights]) => `${id.padStart(widths[0] ?? 0)}  ${email.padEnd(widths[1] ?? 0)}  ${rights}`)
    .join('\n');
}
