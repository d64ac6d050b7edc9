import type { ConfiguredService, ConfiguredVendor } from '#adapters/services/definitions/service.ts';
import { settingOf } from '#adapters/services/definitions/service-settings.ts';
import type { ConfiguredWebhooks } from '#adapters/services/definitions/vendor.ts';
import { type Finding, good, look } from '#bootstrap/checks/finding.ts';

/**
 * Checks each service whose URL the administrator sets: its dialect, URL, OAuth app and webhook secrets, and what is
 * missing.
 */
export function checkServices(services: readonly ConfiguredService[]): readonly Finding[] {
  return services.filter(({ service }) => !service.hasOwnAddress).flatMap(({ all }) => all.map(checkVendor));
}

function checkVendor({ service, settings, prefix, vendor, name, grants, webhooks }: ConfiguredVendor): Finding {
  const { dialect, url } = settings;
  if (url === null && vendor === null) {
    const vendors = service.dialects.slice(1).map((each) => `${settingOf(service.key, 'DIALECT')}=${each}`);
    return look(`${name}: not set up`, `set ${[...vendors, `${prefix}URL`].join(', or ')}`);
  }
  const missing = [
    ...missingForOAuth(prefix, grants),
    ...(webhooks?.secrets.length === 0 && !webhooks.choosesSecrets
      ? [`${webhooks.secretVariable} to accept deliveries, which are now refused with 401`]
      : []),
  ];
  const what = [
    `${name}: ${dialect} at ${url ?? 'the provider’s own address'}`,
    signInOf(service, grants),
    ...(webhooks === null ? [] : [secretsText(webhooks)]),
  ].join('; ');
  return missing.length === 0 ? good(what) : look(what, `set ${missing.join('; and ')}`);
}

type Grants = ConfiguredVendor['grants'];

function missingForOAuth(prefix: string, grants: Grants): readonly string[] {
  if (grants === null) return [];
  const [id, secret] = [`${prefix}CLIENT_ID`, `${prefix}CLIENT_SECRET`];
  if (grants.app === null) return [`${id} and ${secret} to connect by OAuth, or enter them on the page /setup`];
  const [authorize, token] = [`${prefix}AUTHORIZE_URL`, `${prefix}TOKEN_URL`];
  return hasAddresses(grants) ? [] : [`${authorize} and ${token} to connect by OAuth`];
}

function hasAddresses({ facts }: NonNullable<Grants>): boolean {
  return facts.authorizeUrl({}) !== null && facts.tokenUrl({}) !== null;
}

function signInOf({ keyMethod }: ConfiguredService['service'], grants: Grants): string {
  if (grants !== null && grants.app !== null && hasAddresses(grants)) return 'OAuth app';
  if (keyMethod === null) return 'no OAuth app';
  return grants === null ? 'keys only' : 'keys only, no OAuth app';
}

function secretsText({ secrets: { length: count }, choosesSecrets }: ConfiguredWebhooks): string {
  if (choosesSecrets && count === 0) return 'webhook secrets of the provider';
  return count === 0 ? 'no webhook secret' : `${count} webhook ${count === 1 ? 'secret' : 'secrets'}`;
}
