import { logLevels } from '#adapters/mcp/protocol/client-channel.ts';
import { RpcError, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { MethodContext, Methods } from '#adapters/mcp/protocol/method.ts';
import { serverInstructions, serverName, serverTitle } from '#adapters/mcp/protocol/server-facts.ts';
import { firstWithStructured, legacyVersions, modernVersion } from '#adapters/mcp/protocol/versions.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';
import { mayChange } from '#domain/users/rights.ts';

/** The server's features besides its tools. */
type Abilities = Readonly<{ resources: boolean; prompts: boolean; logging: boolean }>;

/** The methods of the initial handshake, in each era. */
export function lifecycleMethods(
  version: string,
  abilities: Abilities,
  services: OperationCatalog['instructions'] = [],
): Methods {
  const texts = new Map<string, string>();
  const instructionsFor = ({ user, choice }: Pick<MethodContext, 'user' | 'choice'>): string => {
    const { isCatalogue, isPrograms } = choice;
    const mode = { isReadonly: choice.isReadonly || !mayChange(user, null), isCatalogue, isPrograms };
    const key = JSON.stringify(mode);
    const text = texts.get(key) ?? serverInstructions(services, mode);
    texts.set(key, text);
    return text;
  };
  const { logging } = abilities;
  return {
    initialize: {
      era: 'legacy',
      run: (params, context) => {
        const { channel } = context;
        const { protocolVersion, capabilities, clientInfo } = params;
        if (typeof protocolVersion !== 'string' || !isObject(capabilities) || !isClientInfo(clientInfo)) {
          throw new RpcError(
            rpcCodes.invalidParams,
            'initialize needs protocolVersion, capabilities, and clientInfo with a name and a version.',
          );
        }
        const spoken = legacyVersions.find((version) => version === protocolVersion) ?? legacyVersions[0];
        if (channel !== null) {
          channel.capabilities = capabilities;
          channel.isInitialized = true;
          channel.readsStructured = spoken >= firstWithStructured;
        }
        const serverInfo = { name: serverName, title: serverTitle, version };
        return {
          protocolVersion: spoken,
          capabilities: { ...capabilitiesOf(abilities, channel !== null), ...(logging ? { logging: {} } : {}) },
          serverInfo,
          instructions: instructionsFor(context),
        };
      },
    },
    ping: { era: 'legacy', run: () => ({}) },
    'server/discover': {
      era: 'modern',
      isCacheable: true,
      run: (_, context) => ({
        supportedVersions: [modernVersion],
        capabilities: { ...capabilitiesOf(abilities, true), ...(logging ? { logging: {} } : {}) },
        instructions: instructionsFor(context),
      }),
    },
    ...(logging ? loggingMethods : {}),
  };
}

const loggingMethods: Methods = {
  'logging/setLevel': {
    era: 'legacy',
    run: ({ level }, { channel }) => {
      const known = logLevels.find((name) => name === level);
      if (known === undefined)
        throw new RpcError(rpcCodes.invalidParams, `The level is one of ${logLevels.join(', ')}.`);
      if (channel !== null) channel.logLevel = known;
      return {};
    },
  },
};

/**
 * The server's capabilities. Notifications need a connection to the client: a session, or a stream of
 * `subscriptions/listen`.
 */
function capabilitiesOf({ resources, prompts }: Abilities, canNotify: boolean): object {
  const listed = canNotify ? { listChanged: true } : {};
  return {
    tools: listed,
    ...(resources ? { resources: canNotify ? { subscribe: true, ...listed } : {} } : {}),
    ...(prompts ? { prompts: listed } : {}),
    ...(resources || prompts ? { completions: {} } : {}),
  };
}

function isClientInfo(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}
