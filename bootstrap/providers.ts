import { nameOf, type Provider } from '#adapters/services/provider.ts';
import type { GrantSource } from '#adapters/services/provider-grants.ts';
import { salesCrmProvider } from '#adapters/services/sales-crm/service.ts';
import { signingProvider } from '#adapters/services/signing/service.ts';
import { suiteCrmProvider } from '#adapters/services/suite-crm/service.ts';
import { trackerProvider } from '#adapters/services/tracker/service.ts';
import { vaultProvider } from '#adapters/services/vault/service.ts';
import type { Settings } from '#bootstrap/settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services in the dialects and at the addresses that the settings say. */
export function providersFrom(settings: Settings): readonly Provider[] {
  const { SALES_CRM_DIALECT, SIGNING_DIALECT, SUITE_CRM_DIALECT, TRACKER_DIALECT, VAULT_DIALECT } = settings;
  return [
    salesCrmProvider({
      dialect: SALES_CRM_DIALECT === 'pipedrive' ? 'pipedrive' : 'neutral',
      url: settings.SALES_CRM_URL ?? null,
      authorizeUrl: settings.SALES_CRM_AUTHORIZE_URL ?? null,
      tokenUrl: settings.SALES_CRM_TOKEN_URL ?? null,
    }),
    signingProvider({
      dialect: SIGNING_DIALECT === 'pandadoc' ? 'pandadoc' : 'neutral',
      url: settings.SIGNING_URL ?? null,
      authorizeUrl: settings.SIGNING_AUTHORIZE_URL ?? null,
      tokenUrl: settings.SIGNING_TOKEN_URL ?? null,
    }),
    suiteCrmProvider({
      dialect: SUITE_CRM_DIALECT === 'zoho' ? 'zoho' : 'neutral',
      url: settings.SUITE_CRM_URL ?? null,
      authorizeUrl: settings.SUITE_CRM_AUTHORIZE_URL ?? null,
      tokenUrl: settings.SUITE_CRM_TOKEN_URL ?? null,
    }),
    trackerProvider({
      dialect: TRACKER_DIALECT === 'linear' ? 'linear' : 'neutral',
      url: settings.TRACKER_URL ?? null,
      authorizeUrl: settings.TRACKER_AUTHORIZE_URL ?? null,
      tokenUrl: settings.TRACKER_TOKEN_URL ?? null,
    }),
    vaultProvider(VAULT_DIALECT === 'obsidian' ? 'obsidian' : 'neutral', { weeks: settings.VAULT_WEEKS }),
  ];
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
  for (const provider of providers) {
    const { service, oauth } = provider;
    if (oauth === null) continue;
    const [clientId, clientSecret, scopes = null] = apps[service];
    const app = clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret, scopes };
    sources.set(service, { name: nameOf(provider), facts: oauth, app });
  }
  return sources;
}
