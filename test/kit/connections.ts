import { succeeded } from '#test/kit/checks.ts';
import type { ServiceKey } from '#test/kit/clause.ts';
import { type CloudKey, cloudKeys } from '#test/kit/emulators/emulators.ts';
import type { Kit } from '#test/kit/kit.ts';
import { routeOf } from '#test/kit/routes.ts';
import { type Answer, send } from '#test/kit/wire.ts';

/** A reading tool of each service, used to check that the target's calls arrive at the emulator. */
const readingTools: Readonly<Record<ServiceKey, readonly [name: string, input: Readonly<Record<string, unknown>>]>> = {
  sales_crm: ['sales_crm_deals_list', {}],
  signing: ['signing_documents_list', {}],
  suite_crm: ['suite_record_list', { module: 'Leads' }],
  tracker: ['tracker_viewer', {}],
  vault: ['vault_vault_list', { dir_path: '' }],
};

/**
 * Connects the target with every emulator of which it is known how; the others were connected by whoever set it up. The
 * result names the services whose emulator nothing reaches, with the reason.
 */
export async function connectAll(kit: Kit): Promise<ReadonlyMap<ServiceKey, string>> {
  const lacks = new Map<ServiceKey, string>();
  if (kit.config.login === undefined)
    return new Map(Object.keys(readingTools).map((key) => [key as ServiceKey, 'the config has no login']));
  for (const service of cloudKeys) {
    if (routeOf(kit.config, { method: 'GET', path: `/connect/${service}` }) !== null) {
      const problem = await connectByOAuth(kit, service).catch(String);
      if (problem !== null) lacks.set(service, problem);
    }
  }
  const mcp = await kit.mcp();
  for (const [key, [tool, input]] of Object.entries(readingTools)) {
    const service = key as ServiceKey;
    if (lacks.has(service)) continue;
    const { received } = await kit.arriving(service, () => mcp.call(tool, input).catch(() => null));
    if (received.length === 0)
      lacks.set(service, `no request arrived at ${kit.emulator(service).url} when ${tool} was called`);
  }
  return lacks;
}

/** Connects a service by OAuth with the kit's emulator; null, or why it cannot be. */
export async function connectByOAuth(kit: Kit, service: CloudKey): Promise<string | null> {
  const { emulator } = kit.emulators.cloud[service];
  const browser = await kit.signedIn();
  const away = await browser.get(kit.routed('GET', `/connect/${service}`).path);
  const asked = away.header('location');
  if (!asked.startsWith(emulator.url))
    return `/connect/${service} leads to ${away.status} ${asked}, not to ${emulator.url}`;
  const consented = await send(emulator.url, { path: asked.slice(emulator.url.length) });
  const back = new URL(consented.header('location'));
  const answer = await browser.get(`${back.pathname}${back.search}`);
  return answer.status === 303 || answer.status === 302
    ? null
    : `the callback of ${service} was answered ${answer.status}`;
}

/** Connects a service with a key (`POST /save`), as the signed-in user. */
export async function save(kit: Kit, body: unknown): Promise<Answer> {
  const browser = await kit.signedIn();
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return browser.ask({ ...kit.routed('POST', '/save'), headers, body: JSON.stringify(body) });
}

/** Runs `act` while a service is connected with the emulator's key, and connects it by OAuth again. */
export async function withKey<Value>(
  kit: Kit,
  service: 'sales_crm' | 'signing' | 'tracker',
  act: () => Promise<Value>,
): Promise<Value> {
  const method = service === 'signing' ? 'api_key' : 'personal_token';
  const saved = await save(kit, { service, auth_method: method, access_token: kit.emulators.cloud[service].key });
  succeeded(saved);
  try {
    return await act();
  } finally {
    await connectByOAuth(kit, service);
  }
}

/** Ends the connection with a service. */
export async function disconnect(kit: Kit, service: ServiceKey): Promise<Answer> {
  const browser = await kit.signedIn();
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return browser.ask({ ...kit.routed('POST', '/disconnect'), headers, body: JSON.stringify({ service }) });
}
