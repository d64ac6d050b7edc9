import { ContainerModule } from 'inversify';
import { appRoutes } from '#adapters/http/people/app-routes.ts';
import { GrantedApps } from '#application/apps/granted-apps.ts';
import { tokens } from '#bootstrap/tokens.ts';

/** Binds what people see and change of themselves, and administrators of all: granted apps, activity, accounts, users. */
export const people = new ContainerModule(({ bind }) => {
  bind(tokens.grantedApps)
    .toResolvedValue((grants, clock) => new GrantedApps(grants, clock), [tokens.appGrants, tokens.clock])
    .inSingletonScope();
  bind(tokens.peopleRoutes)
    .toResolvedValue(
      (apps, formGuard, names) => [...appRoutes({ apps, formGuard, names })],
      [tokens.grantedApps, tokens.formGuard, tokens.serviceNames],
    )
    .inSingletonScope();
});
