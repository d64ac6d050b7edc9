import { ContainerModule } from 'inversify';
import type { CheckSetup } from '#adapters/contracts/setup-guides.ts';
import { activityRoutes } from '#adapters/http/activity/activity-routes.ts';
import { noteRoutes } from '#adapters/http/activity/note-routes.ts';
import { appRoutes } from '#adapters/http/oauth/app-routes.ts';
import { accountRoutes } from '#adapters/http/people/account-routes.ts';
import { switchRoutes } from '#adapters/http/people/switch-routes.ts';
import { userRoutes } from '#adapters/http/people/user-routes.ts';
import { setupRoutes } from '#adapters/http/setup/setup-routes.ts';
import { welcomeRoutes } from '#adapters/http/sign-in/welcome-routes.ts';
import { setupOf } from '#adapters/services/setup-guides.ts';
import { PruneActivity } from '#application/activity/prune-activity.ts';
import { GrantedApps } from '#application/apps/granted-apps.ts';
import { listConnections } from '#application/connections/list-connections.ts';
import { ChangeOwnPassword } from '#application/users/change-own-password.ts';
import { ManageUsers } from '#application/users/manage-users.ts';
import { PasswordLinks } from '#application/users/password-links.ts';
import { recordLinks } from '#bootstrap/modules/record-links.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import type { User } from '#domain/users/user.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** Binds what users manage themselves, and administrators for all: granted apps, activity, accounts, users. */
export const people = new ContainerModule(({ bind }) => {
  bind(tokens.grantedApps)
    .toResolvedValue((grants, clock) => new GrantedApps(grants, clock), [tokens.appGrants, tokens.clock])
    .inSingletonScope();
  bind(tokens.pruneActivity)
    .toResolvedValue(
      ({ activityLog: log }, leases, clock, random, { settings }) =>
        new PruneActivity({ log, leases, clock, random, days: settings.ACTIVITY_DAYS }),
      [tokens.stores, tokens.leases, tokens.clock, tokens.random, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.passwordLinks)
    .toResolvedValue(
      (users, passwords, signOutEverywhere, clock, { secrets }) => {
        const key = deriveKey(secrets[0] ?? '', 'password links');
        return new PasswordLinks({
          users,
          passwords,
          signOutEverywhere,
          clock,
          digest: (parts) => keyedDigest(key, parts),
        });
      },
      [tokens.users, tokens.passwords, tokens.signOutEverywhere, tokens.clock, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.manageUsers)
    .toResolvedValue(
      (users, passwords, signOutEverywhere, leases, random, clock, { id: automationUserId }, { keys: services }) =>
        new ManageUsers({ users, passwords, signOutEverywhere, leases, random, clock, automationUserId, services }),
      [
        tokens.users,
        tokens.passwords,
        tokens.signOutEverywhere,
        tokens.leases,
        tokens.random,
        tokens.clock,
        tokens.automationUser,
        tokens.serviceNames,
      ],
    )
    .inSingletonScope();
  bind(tokens.ownPassword)
    .toResolvedValue(
      (users, passwords, limits, sessions, signOutEverywhere, beginSession) =>
        new ChangeOwnPassword({ users, passwords, limits, sessions, signOutEverywhere, beginSession }),
      [
        tokens.users,
        tokens.passwords,
        tokens.rateLimits,
        tokens.personSessions,
        tokens.signOutEverywhere,
        tokens.beginSession,
      ],
    )
    .inSingletonScope();
  bind(tokens.peopleRoutes)
    .toResolvedValue(
      (
        apps,
        formGuard,
        knownBrowsers,
        catalog,
        users,
        { activityLog: log },
        ownPassword,
        manage,
        automation,
        links,
        beginSession,
        limits,
        stored,
        clock,
        { baseUrl, settings },
        http,
        testConnection,
        serverFacts,
        operations,
      ) => {
        const { names } = catalog;
        const checks = { settings, baseUrl, http, testConnection, serverFacts };
        const check: CheckSetup = async (user, service) => {
          const set = settings.services.find((each) => each.service.key === service);
          // Loaded on demand, since it is rarely used.
          const { checkSetup } = await import('#bootstrap/checks/setup-checks.ts');
          return set === undefined ? [] : checkSetup(checks, user, set);
        };
        const now = () => clock.now();
        const connections = (user: User) => listConnections(stored, user, now());
        return [
          ...appRoutes({ apps, formGuard, names, now }),
          ...activityRoutes({ log, users, catalog, linkTo: recordLinks(settings.services, stored), now }),
          ...noteRoutes((user, call) => operations.run(user, call)),
          ...switchRoutes({ users, catalog, formGuard }),
          ...accountRoutes({ users, ownPassword, formGuard }),
          ...userRoutes({ users, manage, links, connections, formGuard, names, baseUrl, automation }),
          ...welcomeRoutes({ links, beginSession, limits, formGuard, knownBrowsers }),
          ...setupRoutes({
            setups: () => settings.services.map(setupOf),
            check,
            names,
            formGuard,
            baseUrl,
            automation,
          }),
        ];
      },
      [
        tokens.grantedApps,
        tokens.formGuard,
        tokens.knownBrowsers,
        tokens.catalog,
        tokens.users,
        tokens.stores,
        tokens.ownPassword,
        tokens.manageUsers,
        tokens.automationUser,
        tokens.passwordLinks,
        tokens.beginSession,
        tokens.rateLimits,
        tokens.connections,
        tokens.clock,
        tokens.runtime,
        tokens.http,
        tokens.testConnection,
        tokens.serverFacts,
        tokens.runOperation,
      ],
    )
    .inSingletonScope();
});
