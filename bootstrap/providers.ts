import type { Provider } from '#adapters/services/provider.ts';
import type { GrantSource } from '#adapters/services/provider-grants.ts';
import { vaultProvider } from '#adapters/services/vault/provider.ts';
import type { Settings } from '#bootstrap/settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services in the dialects and at the addresses that the settings say. */
export function providersFrom(settings: Settings): readonly Provider[] {
  return [vaultProvider(settings.VAULT_DIALECT === 'obsidian' ? 'obsidian' : 'neutral')];
}

/** The OAuth facts of the services that have OAuth, with the app that each knows this server as. */
export function grantSources(providers: readonly Provider[], settings: Settings): ReadonlyMap<ServiceKey, GrantSource> {
  const apps: Readonly<Record<ServiceKey, readonly (string | undefined)[]>> = {
    sales_crm: [settings.SALES_CRM_CLIENT_ID, settings.SALES_CRM_CLIENT_SECRET, settings.SALES_CRM_SCOPES],
    signing: [settings.SIGNING_CLIENT_ID, settings.SIGNING_CLIENT_SECRET, settings.SIGNING_SCOPES],
    suite_crm: [settings.SUITE_CRM_CLIENT_ID, settings.SUITE_CRM_CLIENT_SECRET, settings.SUITE_CRM_SCOPES],
    tracker: [settings.TRACKER_CLIENT_ID, settings.TRACKER_CLIENT_SECRET, settings.TRACKER_SCOPES],
    vault: [],
  };
  const sources = new Map<ServiceKey, GrantSource>();
  for (const { service, oauth } of providers) {
    if (oauth === null) continue;
    const [clientId, clientSecret, scopes = null] = apps[service];
    const app = clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret, scopes };
    sources.set(service, { facts: oauth, app });
  }
  return sources;
}
