import type { SetupFinding } from '#adapters/contracts/setup-guides.ts';
import { checkApp } from '#adapters/services/credentials/app-check.ts';
import { blankRecord } from '#adapters/services/credentials/blank-record.ts';
import type { ConfiguredService, ConfiguredVendor } from '#adapters/services/definitions/service.ts';
import type { TestConnection } from '#application/connections/test-connection.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { checkBaseUrl } from '#bootstrap/checks/address.ts';
import { good, look, wrong } from '#bootstrap/checks/finding.ts';
import { checkServices } from '#bootstrap/checks/services.ts';
import { checkVault } from '#bootstrap/checks/vault.ts';
import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { vaultFact } from '#bootstrap/vault/vault-folder.ts';
import type { User } from '#domain/users/user.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

const timeoutMs = 10_000;
const maxBytes = 65_536;

/** The dependencies of the checks. */
export type SetupCheckDependencies = Readonly<{
  settings: Settings;
  baseUrl: string;
  http: Pick<HttpClient, 'send'>;
  serverFacts: ServerFacts;
  testConnection: TestConnection;
}>;

/**
 * Checks a service's setup, including its provider: doctor's findings, whether it responds, its OAuth app, and the
 * user's connection.
 */
export async function checkSetup(
  dependencies: SetupCheckDependencies,
  user: User,
  service: ConfiguredService,
): Promise<readonly SetupFinding[]> {
  const { settings, baseUrl } = dependencies;
  // When the system chose the port, the base URL is not in the settings.
  const known = isLoopback(settings.HOST) ? { ...settings, BASE_URL: baseUrl } : settings;
  const isVault = service.service.key === 'vault';
  const takesDeliveries = service.all.some(
    ({ webhooks }) => webhooks !== null && (webhooks.choosesSecrets || webhooks.secrets.length > 0),
  );
  const vendors = await Promise.all(
    service.all.map(async (vendor) => [
      ...(isVault ? [] : await reached(dependencies.http, vendor)),
      ...(await appFindings(dependencies, vendor)),
    ]),
  );
  return [
    ...(isVault
      ? [await checkVault(settings, { kept: null, folderId: await dependencies.serverFacts.find(vaultFact) })]
      : checkServices([service])),
    ...(takesDeliveries ? [checkBaseUrl(known, true)] : []),
    ...vendors.flat(),
    await connectionFinding(dependencies, user, service),
  ];
}

/** Checks whether the provider responds: any response counts, since the request is unauthenticated. */
async function reached(http: Pick<HttpClient, 'send'>, service: ConfiguredVendor): Promise<readonly SetupFinding[]> {
  const address = service.provider().dialect.baseUrl(blankRecord(service.service.key));
  if (address === null) return [];
  const { origin } = new URL(address);
  const answer = await http.send({
    method: 'GET',
    url: `${origin}/`,
    headers: {},
    timeoutMs,
    maxBytes,
    isRepeatable: false,
  });
  if (answer.kind === 'error' && answer.reason !== 'too_large') {
    const next = 'check the address, and that this server can reach it';
    return [wrong(`${origin} cannot be reached. ${answer.message}`, next)];
  }
  return [good(`${origin} answers`)];
}

async function appFindings(
  { http, baseUrl }: SetupCheckDependencies,
  { service, prefix, grants }: ConfiguredVendor,
): Promise<readonly SetupFinding[]> {
  if (grants === null || grants.app === null) return [];
  const { known, message } = await checkApp(grants, http, `${baseUrl}/connect/${service.key}/callback`);
  if (known === 'yes') return [good(message)];
  const [id, secret] = [`${prefix}CLIENT_ID`, `${prefix}CLIENT_SECRET`];
  return known === 'no'
    ? [wrong(message, `copy ${id} and ${secret} from the app again`)]
    : [look(message, 'connect an account to test it')];
}

async function connectionFinding(
  { testConnection }: SetupCheckDependencies,
  user: User,
  { service, name }: ConfiguredService,
): Promise<SetupFinding> {
  const tested = await testConnection.run(user, service.key);
  if (!tested.ok) {
    const next =
      tested.failure.reason === 'forbidden' ? 'give yourself permission under Users' : 'connect it under Connections';
    return look(tested.failure.message, next);
  }
  const { state, checked, reason } = tested.value;
  if (state === 'connected' && checked) return good(`Your own connection to the ${name} works`);
  const what = `Your own connection to the ${name} does not work: ${reason ?? 'it could not be tested'}`;
  return wrong(what, 'check it under Connections');
}
