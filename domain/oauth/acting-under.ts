import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { underScope } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** Returns a user as the app of a grant acts for them; `all` are the services of this server. */
export function actingUnder(grant: AppGrant, user: User, all: readonly ServiceKey[]): User {
  const { id: grantId, clientName: name, ask, scope, switchedOff } = grant;
  return {
    ...underScope(scope, user, all),
    app: { grantId, name, ask, ...(switchedOff.length === 0 ? {} : { switchedOff }) },
  };
}
