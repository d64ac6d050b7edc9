import { ContainerModule, type ResolutionContext } from 'inversify';
import type { ProviderWay } from '#adapters/http/sign-in/provider-routes.ts';
import { OpenIdProvider } from '#adapters/oidc/openid-provider.ts';
import { BeginSession } from '#application/session/begin-session.ts';
import { AdmitPerson } from '#application/sign-in/admit-person.ts';
import { ApplyGroupRights } from '#application/sign-in/apply-group-rights.ts';
import { LinkIdentity } from '#application/sign-in/link-identity.ts';
import { ProviderSignIn } from '#application/sign-in/provider-sign-in.ts';
import { ManageUsers } from '#application/users/manage-users.ts';
import type { OidcSettings } from '#bootstrap/config/oidc-settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Binds signing in by the identity provider; null on a server without one. */
export const signIn = new ContainerModule(({ bind }) => {
  bind(tokens.providerWay).toDynamicValue((on) => {
    const { oidc } = on.get(tokens.runtime).settings;
    return oidc === null ? null : wayOf(on, oidc);
  });
});

function wayOf(on: ResolutionContext, { domains, rules, ...provider }: OidcSettings): ProviderWay {
  const { baseUrl, settings } = on.get(tokens.runtime);
  const { identities, pendingSignIns, leases } = on.get(tokens.stores);
  const [users, clock, random, logger] = [
    on.get(tokens.users),
    on.get(tokens.clock),
    on.get(tokens.random),
    on.get(tokens.logger),
  ];
  const note = on.get(tokens.note);
  const linkIdentity = new LinkIdentity({
    identities,
    users,
    sessions: on.get(tokens.personSessions),
    clock,
    takesPasswords: settings.PASSWORDS,
    note,
  });
  const redirectUri = `${baseUrl}/login/oidc/callback`;
  return {
    linkIdentity,
    signIn: new ProviderSignIn({
      provider: new OpenIdProvider({
        settings: { ...provider, readsGroups: rules.length > 0, redirectUri },
        http: on.get(HttpClient),
        clock,
      }),
      pending: pendingSignIns,
      admit: new AdmitPerson({
        identities,
        users,
        passwords: on.get(tokens.passwords),
        leases,
        random,
        clock,
        policy: { domains, rules },
        note,
      }),
      applyRights: new ApplyGroupRights({ manage: on.get(ManageUsers), rules, logger }),
      linkIdentity,
      beginSession: on.get(BeginSession),
      clock,
      random,
      logger,
      note,
    }),
  };
}
