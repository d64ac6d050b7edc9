import { remoteService } from '#adapters/services/from-mcp/from-mcp.ts';
import { SealedAddedServers } from '#adapters/stores/sealed-remote.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { withChosenVendors } from '#bootstrap/start/chosen-vendors.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';

type Given = Readonly<{ settings: Settings; config: CheckedConfig }>;
type Facts = Readonly<{ serverFacts: ServerFacts; secrets: readonly string[] }>;

/**
 * The settings and the configuration with what administrators entered that is used from a start on: the MCP servers
 * that they added, and the vendors that they chose.
 */
export async function withEntered(
  given: Given,
  { serverFacts }: Pick<Facts, 'serverFacts'>,
  secrets: readonly string[],
): Promise<Given> {
  const facts = { serverFacts, secrets };
  const { settings, config } = await withAddedServers(given, facts);
  return { settings: await withChosenVendors(settings, facts), config };
}

/**
 * The settings and the configuration with the remote MCP servers that administrators added: each is a service for as
 * long as this process runs. One whose key is that of a service of the configuration is left out.
 */
async function withAddedServers({ settings, config }: Given, { serverFacts, secrets }: Facts): Promise<Given> {
  const added = await new SealedAddedServers(serverFacts, boxFor('remote', secrets)).read();
  const taken = new Set(settings.services.map(({ service }) => service.key));
  const services = added
    .filter(({ key }) => !taken.has(key))
    .map(({ key, title, url, connection }) =>
      remoteService({
        key,
        title,
        reach: { kind: 'http', url, transport: 'either' },
        connection,
        tools: null,
        searched: [],
        effects: {},
        acceptsFirst: false,
      }),
    );
  if (services.length === 0) return { settings, config };
  const live = settings.live.with(services);
  return {
    settings: { ...settings, live, services: live.current },
    config: { ...config, services: [...config.services, ...services] },
  };
}
