import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { DisconnectService } from '#application/connections/disconnect-service.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { DefaultRights } from '#application/users/default-rights.ts';
import { eraseUser } from '#application/users/erase-user.ts';
import { ManageUsers } from '#application/users/manage-users.ts';
import { ForgetRegistrations } from '#application/webhook-registrations/forget-registrations.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** Binds how administrators manage users, in a browser and with commands. */
export const users = new ContainerModule(({ bind }) => {
  bind(DisconnectService).toDynamicValue((on) => {
    const forget = on.get(ForgetRegistrations);
    return new DisconnectService({
      connections: on.get(tokens.connections),
      grants: on.get(tokens.grants),
      forgetWebhooks: (userId, service) => forget.run(userId, service),
      logger: on.get(tokens.logger),
      pause: (ms) => delay(ms, undefined, { ref: false }),
    });
  });
  bind(DefaultRights).toDynamicValue(
    (on) =>
      new DefaultRights({
        facts: on.get(tokens.serverFacts),
        services: on.get(tokens.serviceNames).keys,
        note: on.get(tokens.note),
      }),
  );
  bind(ManageUsers).toDynamicValue((on) => {
    const disconnect = on.get(DisconnectService);
    const { identities, notifications, webhookRegistrations: registrations, reactionLog } = on.get(tokens.stores);
    return new ManageUsers({
      users: on.get(tokens.users),
      passwords: on.get(tokens.passwords),
      signOutEverywhere: on.get(SignOutEverywhere),
      sessions: on.get(tokens.personSessions),
      grants: on.get(tokens.appGrants),
      leases: on.get(tokens.leases),
      random: on.get(tokens.random),
      clock: on.get(tokens.clock),
      automationUserId: on.get(AutomationUser).id,
      services: on.get(tokens.serviceNames).keys,
      disconnectAll: (userId) => disconnect.all(userId),
      erase: (user) => eraseUser(user, { identities, notifications, registrations, reactionLog }),
      note: on.get(tokens.note),
    });
  });
});
