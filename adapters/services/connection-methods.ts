import { z } from 'zod';
import { checkInput } from '#adapters/input/check-input.ts';
import { blankRecord } from '#adapters/services/blank-record.ts';
import type { Provider } from '#adapters/services/provider.ts';
import type { GrantSource } from '#adapters/services/provider-grants.ts';
import type { ConnectionMethod, ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { InputError } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * Members of `extra` that only the server sets: a user who could set them would pass a connection off as the server's
 * own.
 */
const reserved: readonly string[] = ['embedded', 'from_settings'];

const member = z.object({ enum: z.array(z.string()).optional(), isCount: z.boolean().default(false) });
const extraSchema = z.object({ properties: z.record(z.string(), member) });

/** Derives the connection methods of the services from their definitions and settings. */
export class ProviderConnectionMethods implements ConnectionMethods {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #sources: ReadonlyMap<ServiceKey, GrantSource>;

  constructor(providers: readonly Provider[], sources: ReadonlyMap<ServiceKey, GrantSource>) {
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#sources = sources;
  }

  find(service: ServiceKey): ConnectionMethod | null {
    const provider = this.#providers.get(service);
    if (provider === undefined) return null;
    const missing = missingAddress(provider);
    const source = this.#sources.get(service);
    return {
      oauth: source === undefined ? null : { missing: [...missing, ...missingForOAuth(service, source)] },
      keys: {
        missing,
        method: provider.keyMethod,
        hasOwnAddress: provider.hasOwnAddress,
        noun: provider.noun,
      },
      ...membersOf(provider),
    };
  }

  checkExtra(
    service: ServiceKey,
    given: Readonly<Record<string, unknown>>,
  ): Result<Readonly<Record<string, unknown>>, readonly InputError[]> {
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => !reserved.includes(name)));
    return checkInput(this.#providers.get(service)?.extra ?? z.object({}), own);
  }
}

/**
 * The missing address settings: the vault's address belongs to the connection; others are configured, or fixed by the
 * vendor dialect.
 */
function missingAddress({ service, hasOwnAddress, dialect }: Provider): readonly string[] {
  if (hasOwnAddress) return [];
  return dialect.baseUrl(blankRecord(service)) === null ? [settingOf(service, 'URL')] : [];
}

function missingForOAuth(service: ServiceKey, { facts, app }: GrantSource): readonly string[] {
  return [
    ...(app === null ? [settingOf(service, 'CLIENT_ID'), settingOf(service, 'CLIENT_SECRET')] : []),
    ...(facts.authorizeUrl({}) === null ? [settingOf(service, 'AUTHORIZE_URL')] : []),
    ...(facts.tokenUrl({}) === null ? [settingOf(service, 'TOKEN_URL')] : []),
  ];
}

function settingOf(service: ServiceKey, name: string): string {
  return `${service.toUpperCase()}_${name}`;
}

/** What a user may give with a connection, the choices among it, and which of them are counts. */
function membersOf({ extra }: Provider): Pick<ConnectionMethod, 'members' | 'choices' | 'counts'> {
  const parsed = extraSchema.safeParse(
    extra === undefined ? null : z.toJSONSchema(extra, { io: 'input', unrepresentable: 'any' }),
  );
  const members = Object.entries(parsed.data?.properties ?? {});
  return {
    members: members.map(([name]) => name),
    choices: members.flatMap(([name, { enum: values }]) => (values === undefined ? [] : [{ name, values }])),
    counts: members.flatMap(([name, { isCount }]) => (isCount ? [name] : [])),
  };
}
