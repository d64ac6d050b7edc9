import type { ConfiguredService } from '#adapters/services/service.ts';
import { settingOf } from '#adapters/services/service-settings.ts';
import { type Finding, good, look } from '#bootstrap/checks/finding.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * Checks each service whose URL the administrator sets: its dialect, URL, OAuth app and webhook secrets, and what is
 * missing.
 */
export function checkServices(services: readonly ConfiguredService[]): readonly Finding[] {
  return services.filter(({ service }) => !service.hasOwnAddress).map(checkService);
}

function checkService({ service, settings, vendor, name, grants, webhooks }: ConfiguredService): Finding {
  const { dialect, url } = settings;
  const setting = (word: string) => settingOf(service.key, word);
  if (url === null && vendor === null) {
    const vendors = service.dialects.slice(1).map((each) => `${setting('DIALECT')}=${each}`);
    return look(`${name}: not set up`, `set ${[...vendors, setting('URL')].join(', or ')}`);
  }
  const missing = [
    ...missingForOAuth(service.key, grants),
    ...(webhooks?.secrets.length === 0
      ? [`${webhooks.secretVariable} to accept deliveries, which are now refused with 401`]
      : []),
  ];
  const what = [
    `${name}: ${dialect} at ${url ?? 'the provider’s own address'}`,
    signInOf(service, grants),
    ...(webhooks === null ? [] : [secretsText(webhooks.secrets.length)]),
  ].join('; ');
  return missing.length === 0 ? good(what) : look(what, `set ${missing.join('; and ')}`);
}

type Grants = ConfiguredService['grants'];

function missingForOAuth(key: ServiceKey, grants: Grants): readonly string[] {
  if (grants === null) return [];
  const [id, secret] = [settingOf(key, 'CLIENT_ID'), settingOf(key, 'CLIENT_SECRET')];
  if (grants.app === null) return [`${id} and ${secret} to connect by OAuth`];
  const [authorize, token] = [settingOf(key, 'AUTHORIZE_URL'), settingOf(key, 'TOKEN_URL')];
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

function secretsText(count: number): string {
  return count === 0 ? 'no webhook secret' : `${count} webhook ${count === 1 ? 'secret' : 'secrets'}`;
}
