import { ContainerModule } from 'inversify';
import { activityRoutes } from '#adapters/http/people/activity-routes.ts';
import { appRoutes } from '#adapters/http/people/app-routes.ts';
import { PruneActivity } from '#application/activity/prune-activity.ts';
import { GrantedApps } from '#application/apps/granted-apps.ts';
import { tokens } from '#bootstrap/tokens.ts';

/** Binds what people see and change of themselves, and administrators of all: granted apps, activity, accounts, users. */
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
  bind(tokens.peopleRoutes)
    .toResolvedValue(
      (apps, formGuard, catalog, users, { activityLog: log }) => [
        ...appRoutes({ apps, formGuard, names: catalog.names }),
        ...activityRoutes({ log, users, catalog, linkTo: async () => null }),
      ],
      [tokens.grantedApps, tokens.formGuard, tokens.catalog, tokens.users, tokens.stores],
    )
    .inSingletonScope();
});
