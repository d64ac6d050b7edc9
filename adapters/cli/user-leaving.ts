import { type Dependencies, type Managing, sayDone, sayRefused } from '#adapters/cli/user-acts.ts';
import { failureText } from '#adapters/cli/user-texts.ts';
import { findUser } from '#application/users/find-user.ts';
import { departureText } from '#application/users/manage-users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** Adds the subcommands for users who leave: deactivate, activate, disconnect and delete. */
export function leavingCommands({ program, within, terminal }: Dependencies): void {
  type Leaving = (user: User, managing: Managing) => Promise<string | Failed>;
  const acting = (email: string, act: Leaving, needs: ServiceKey | null = null) =>
    within(async ({ users, managing, services }) => {
      if (needs !== null && !services.includes(needs)) {
        program.error(`error: ${needs} is not a service: ${services.join(', ')}`);
      }
      const found = await findUser(users, email);
      if (!found.ok) return sayRefused(terminal, failureText(email, found.failure));
      const opened = await managing();
      try {
        const text = await act(found.value, opened);
        return typeof text === 'string' ? sayDone(terminal, text) : sayRefused(terminal, text.refusal);
      } finally {
        await opened.close();
      }
    });
  const leaving = (email: string, verb: 'deactivated' | 'deleted') =>
    acting(email, async (user, { manage }) => {
      const left = verb === 'deleted' ? await manage.remove(user.id, null) : await manage.deactivate(user.id, null);
      if (!left.ok) return { refusal: failureText(user.email, left.failure) };
      return `${user.email} is ${verb}: ${departureText(left.value)}.`;
    });
  program
    .command('deactivate <e-mail>')
    .description('signs a user out everywhere, and disconnects them from all services')
    .action((email: string) => leaving(email, 'deactivated'));
  program
    .command('activate <e-mail>')
    .description('lets a deactivated user sign in again')
    .action((email: string) =>
      acting(email, async (user, { manage }) => {
        const changed = await manage.change(user.id, { isActive: true }, null);
        return changed.ok ? `${user.email} is active.` : { refusal: failureText(user.email, changed.failure) };
      }),
    );
  program
    .command('disconnect <e-mail> <service>')
    .description('removes the connection of a user to a service')
    .action((email: string, service: string) => {
      const disconnecting: Leaving = async (user, { disconnect }) => {
        const isRevoked = await disconnect(user.id, service);
        if (isRevoked === null) return { refusal: `${user.email} has no connection to ${service}.` };
        return `${user.email} is disconnected from ${service}${isRevoked ? ', and revoked at the provider' : ''}.`;
      };
      return acting(email, disconnecting, service);
    });
  program
    .command('delete <e-mail>')
    .description('deactivates a user and erases what is theirs; cannot be undone')
    .action((email: string) => leaving(email, 'deleted'));
}

/** Why a command was refused. */
type Failed = Readonly<{ refusal: string }>;
