import { resolve } from 'node:path';
import { ContainerModule, type ResolutionContext } from 'inversify';
import type { CheckSetup } from '#adapters/contracts/setup-guides.ts';
import { activityRoutes } from '#adapters/http/activity/activity-routes.ts';
import { changeRoutes } from '#adapters/http/activity/change-routes.ts';
import { noteRoutes } from '#adapters/http/activity/note-routes.ts';
import { auditRoutes } from '#adapters/http/audit/audit-routes.ts';
import { appPageRoutes } from '#adapters/http/oauth/app-page-routes.ts';
import { appRoutes } from '#adapters/http/oauth/app-routes.ts';
import { accountRoutes } from '#adapters/http/people/account-routes.ts';
import { switchRoutes } from '#adapters/http/people/switch-routes.ts';
import { Switchboard } from '#adapters/http/people/switchboard.ts';
import { userJsonRoutes } from '#adapters/http/people/user-json.ts';
import { userRoutes } from '#adapters/http/people/user-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import { setupRoutes } from '#adapters/http/setup/setup-routes.ts';
import { welcomeRoutes } from '#adapters/http/sign-in/welcome-routes.ts';
import { setupOf } from '#adapters/services/definitions/setup-guides.ts';
import { PruneActivity } from '#application/activity/prune-activity.ts';
import { ApprovalFloors } from '#application/approvals/approval-floors.ts';
import { ChangeApp } from '#application/apps/change-app.ts';
import { GrantedApps } from '#application/apps/granted-apps.ts';
import { PersonalTokens } from '#application/apps/personal-tokens.ts';
import { TakeBack } from '#application/changes/take-back.ts';
import { DisconnectService } from '#application/connections/disconnect-service.ts';
import { listConnections } from '#application/connections/list-connections.ts';
import { TestConnection } from '#application/connections/test-connection.ts';
import { programSwitch } from '#application/programs/program-operations.ts';
import { BeginSession } from '#application/session/begin-session.ts';
import { LogIn } from '#application/session/log-in.ts';
import { OwnSessions } from '#application/session/own-sessions.ts';
import { RecentSignIn } from '#application/session/recent-sign-in.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { ChangeOwnPassword } from '#application/users/change-own-password.ts';
import { DefaultRights } from '#application/users/default-rights.ts';
import { ManageUsers } from '#application/users/manage-users.ts';
import { PasswordLinks } from '#application/users/password-links.ts';
import { waysOf } from '#bootstrap/modules/auth.ts';
import { recordLinks } from '#bootstrap/modules/record-links.ts';
import { serverRoutesOf } from '#bootstrap/modules/remote-setup.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { linkDigest } from '#bootstrap/start/link-digest.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Binds what users manage themselves, and administrators for all: granted apps, activity, accounts, users. */
export const people = new ContainerModule(({ bind }) => {
  bind(GrantedApps).toDynamicValue((on) => new GrantedApps(on.get(tokens.appGrants), on.get(tokens.clock)));
  bind(PruneActivity).toDynamicValue(
    (on) =>
      new PruneActivity({
        log: on.get(tokens.stores).activityLog,
        leases: on.get(tokens.leases),
        clock: on.get(tokens.clock),
        random: on.get(tokens.random),
        days: on.get(tokens.runtime).settings.ACTIVITY_DAYS,
      }),
  );
  bind(PasswordLinks).toDynamicValue((on) => {
    return new PasswordLinks({
      users: on.get(tokens.users),
      passwords: on.get(tokens.passwords),
      signOutEverywhere: on.get(SignOutEverywhere),
      clock: on.get(tokens.clock),
      random: on.get(tokens.random),
      digest: linkDigest(on.get(tokens.runtime).secrets),
    });
  });
  bind(ChangeOwnPassword).toDynamicValue(
    (on) =>
      new ChangeOwnPassword({
        users: on.get(tokens.users),
        passwords: on.get(tokens.passwords),
        limits: on.get(tokens.rateLimits),
        sessions: on.get(tokens.personSessions),
        signOutEverywhere: on.get(SignOutEverywhere),
        beginSession: on.get(BeginSession),
      }),
  );
  bind(RecentSignIn).toDynamicValue(
    (on) =>
      new RecentSignIn({
        sessions: on.get(tokens.personSessions),
        logIn: new LogIn({
          users: on.get(tokens.users),
          passwords: on.get(tokens.passwords),
          limits: on.get(tokens.rateLimits),
          beginSession: on.get(BeginSession),
        }),
        clock: on.get(tokens.clock),
      }),
  );
  bind(tokens.peopleRoutes).toDynamicValue((on) => {
    const apps = on.get(GrantedApps);
    const formGuard = on.get(FormGuard);
    const knownBrowsers = on.get(KnownBrowsers);
    const catalog = on.get(tokens.catalog);
    const users = on.get(tokens.users);
    const { activityLog: log, auditLog, identities, keptChanges } = on.get(tokens.stores);
    const ownPassword = on.get(ChangeOwnPassword);
    const automation = on.get(AutomationUser);
    const links = on.get(PasswordLinks);
    const beginSession = on.get(BeginSession);
    const limits = on.get(tokens.rateLimits);
    const stored = on.get(tokens.connections);
    const clock = on.get(tokens.clock);
    const { baseUrl, settings } = on.get(tokens.runtime);
    const ways = waysOf(settings);
    const { names } = catalog;
    const note = on.get(tokens.note);
    const checks = {
      settings,
      baseUrl,
      http: on.get(HttpClient),
      testConnection: on.get(TestConnection),
      serverFacts: on.get(tokens.serverFacts),
    };
    const check: CheckSetup = async (user, service) => {
      const set = settings.live.current.find((each) => each.service.key === service);
      // Loaded on demand, since it is rarely used.
      const { checkSetup } = await import('#bootstrap/checks/setup-checks.ts');
      return set === undefined ? [] : checkSetup(checks, user, set);
    };
    const now = () => clock.now();
    const switchboard = new Switchboard(catalog, settings.PROGRAMS ? [programSwitch] : []);
    const changing = new ChangeApp({ apps, services: names.keys, note });
    const connections = (user: User) => listConnections(stored, user, now());
    const disconnecting = on.get(DisconnectService);
    const managing = {
      users,
      manage: on.get(ManageUsers),
      defaults: on.get(DefaultRights),
      apps,
      stated: (userIds: readonly number[]) => stored.statesOf(userIds),
      connections,
      disconnect: (userId: number, service: ServiceKey) => disconnecting.run(userId, service),
      linkFor: async (user: User) => {
        const link = await links.make(user);
        return link === null ? null : `${baseUrl}/welcome?link=${link}`;
      },
      formGuard,
      names,
      automation,
      note,
      now,
    };
    return [
      ...appPageRoutes({ apps, changing, switchboard, formGuard, names, now }),
      ...appRoutes({
        apps,
        changing,
        switchboard,
        hasPrograms: settings.PROGRAMS,
        allowedOperations: on.get(tokens.stores).allowedOperations,
        catalog,
        formGuard,
        names,
        note,
        now,
      }),
      ...activityRoutes({
        log,
        users,
        catalog,
        linkTo: recordLinks(settings.services, stored),
        kept: keptChanges,
        now,
      }),
      ...changeRoutes({ takeBack: on.get(TakeBack), log, catalog, formGuard, note, now }),
      ...auditRoutes({ log: auditLog, users, now }),
      ...noteRoutes(on.get(tokens.awaitedCalls)),
      ...switchRoutes({ users, names, switchboard, formGuard }),
      ...accountRoutes({
        users,
        ownPassword,
        notifications: on.get(tokens.stores).notifications,
        isMailing: settings.SMTP_URL !== undefined,
        sessions: new OwnSessions({ sessions: on.get(tokens.personSessions), clock, note }),
        personal: personalTokens(on),
        names,
        formGuard,
        identities,
        ways,
        now,
      }),
      ...userRoutes(managing),
      ...userJsonRoutes(managing),
      ...welcomeRoutes({ links, beginSession, limits, formGuard, knownBrowsers, takesPasswords: ways.passwords }),
      // Before the pages of the services, whose addresses begin alike.
      ...serverRoutesOf(on),
      ...setupRoutes({
        setups: () =>
          settings.live.current.map((service) => setupOf(service, settings.live.setup(service.service.key))),
        check,
        names,
        formGuard,
        baseUrl,
        automation,
        floors: on.get(ApprovalFloors),
        settings: on.get(ProviderSettings),
        recent: on.get(RecentSignIn),
        knownBrowsers,
        users,
        envFile: resolve('.env'),
        ways,
      }),
    ];
  });
});

function personalTokens(on: ResolutionContext): PersonalTokens {
  const { settings, baseUrl } = on.get(tokens.runtime);
  return new PersonalTokens({
    grants: on.get(tokens.appGrants),
    tokens: on.get(tokens.sessionTokens),
    random: on.get(tokens.random),
    clock: on.get(tokens.clock),
    note: on.get(tokens.note),
    services: on.get(tokens.serviceNames).keys,
    audience: settings.OAUTH_METADATA ? baseUrl : null,
  });
}
