import { z } from 'zod';
import { checkInput } from '#adapters/input/check-input.ts';
import { blankRecord } from '#adapters/services/credentials/blank-record.ts';
import type { GrantSource, GrantSources } from '#adapters/services/credentials/provider-grants.ts';
import { type Provider, vendorsOf } from '#adapters/services/definitions/provider.ts';
import { settingOf } from '#adapters/services/definitions/service-settings.ts';
import { providerFor } from '#adapters/services/gateway.ts';
import type { ConnectionMethod, ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { InputError } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/**
 * Members of `extra` that only the server sets: a user who could set them would pass a connection off as the server's
 * own.
 */
const reserved: readonly string[] = ['embedded', 'from_settings'];

const member = z.object({
  enum: z.array(z.string()).optional(),
  isCount: z.boolean().default(false),
  title: z.string().optional(),
});
const extraSchema = z.object({ properties: z.record(z.string(), member) });

/** Derives the connection methods of the services from their definitions and settings. */
export class ProviderConnectionMethods implements ConnectionMethods {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #sources: GrantSources;
  readonly #isRemote: (service: ServiceKey) => boolean;

  /** `isRemote` says which services are remote MCP servers with an OAuth of their own. */
  constructor(
    providers: readonly Provider[],
    sources: GrantSources,
    isRemote: (service: ServiceKey) => boolean = () => false,
  ) {
    this.#isRemote = isRemote;
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#sources = sources;
  }

  find(service: ServiceKey): ConnectionMethod | null {
    const provider = this.#providers.get(service);
    if (provider === undefined) return null;
    const vendors = vendorsOf(provider);
    const source = this.#sources.get(service);
    // Its OAuth is found out while people connect.
    const isRemote = this.#isRemote(service);
    const sources = source === undefined ? [] : [source, ...(source.others?.values() ?? [])];
    // With several vendors, one that is set up is enough.
    const missing = fewest(vendors.map(missingAddress));
    const oauth = fewest(
      sources.map((one) => [
        ...missingAddress(vendors[sources.indexOf(one)] ?? provider),
        ...missingForOAuth(service, one),
      ]),
    );
    return {
      oauth: source === undefined && !isRemote ? null : { missing: oauth },
      keys: {
        missing,
        method: provider.keyMethod,
        hasOwnAddress: provider.hasOwnAddress,
        noun: provider.noun,
      },
      ...membersOf(vendors),
    };
  }

  checkExtra(
    service: ServiceKey,
    given: Readonly<Record<string, unknown>>,
  ): Result<Readonly<Record<string, unknown>>, readonly InputError[]> {
    const provider = this.#providers.get(service);
    const { vendor: wanted, ...rest } = Object.fromEntries(
      Object.entries(given).filter(([name]) => !reserved.includes(name)),
    );
    if (provider?.others === undefined) return checkInput(provider?.extra ?? z.object({}), rest);
    const names = vendorsOf(provider).map(({ dialect }) => dialect.name);
    const vendor = checkInput(z.object({ vendor: z.enum(names).default(names[0] ?? '') }), { vendor: wanted });
    if (!vendor.ok) return vendor;
    const schema = providerFor(provider, { extra: vendor.value }).extra ?? z.object({});
    const ofOthers = vendorsOf(provider).flatMap((one) => Object.keys(one.extra?.shape ?? {}));
    // A form has the fields of all vendors.
    const isIts = ([name]: readonly [string, unknown]) => Object.hasOwn(schema.shape, name) || !ofOthers.includes(name);
    const extra = checkInput(schema, Object.fromEntries(Object.entries(rest).filter(isIts)));
    return extra.ok ? ok({ ...extra.value, ...vendor.value }) : extra;
  }
}

/** What is missing for the vendor that lacks least. */
function fewest(missing: readonly (readonly string[])[]): readonly string[] {
  return missing.toSorted((left, right) => left.length - right.length)[0] ?? [];
}

/**
 * The missing address settings: the vault's address belongs to the connection; others are configured, or fixed by the
 * vendor dialect.
 */
function missingAddress({
  service,
  hasOwnAddress,
  dialect,
  prefix = settingOf(service, ''),
}: Provider): readonly string[] {
  if (hasOwnAddress) return [];
  return dialect.baseUrl(blankRecord(service)) === null ? [`${prefix}URL`] : [];
}

function missingForOAuth(
  service: ServiceKey,
  { facts, app, prefix = settingOf(service, '') }: GrantSource,
): readonly string[] {
  return [
    ...(app === null ? [`${prefix}CLIENT_ID`, `${prefix}CLIENT_SECRET`] : []),
    ...(facts.authorizeUrl({}) === null ? [`${prefix}AUTHORIZE_URL`] : []),
    ...(facts.tokenUrl({}) === null ? [`${prefix}TOKEN_URL`] : []),
  ];
}

/** What a user may give with a connection, the choices among it, and which of them are counts or texts with a title. */
function membersOf(vendors: readonly Provider[]): Pick<ConnectionMethod, 'members' | 'choices' | 'counts' | 'texts'> {
  const names = vendors.map(({ dialect }) => dialect.name);
  const texts = Object.fromEntries(vendors.map(({ dialect, vendor, title }) => [dialect.name, vendor ?? title]));
  const choice: Readonly<Record<string, z.output<typeof member>>> =
    names.length > 1 ? { vendor: { enum: names, isCount: false } } : {};
  const all = vendors.map(({ extra }) => {
    const schema = extra === undefined ? null : z.toJSONSchema(extra, { io: 'input', unrepresentable: 'any' });
    return extraSchema.safeParse(schema).data?.properties ?? {};
  });
  const members = Object.entries(Object.assign({}, choice, ...all.toReversed())).flatMap(([name, found]) => {
    const read = member.safeParse(found).data;
    return read === undefined ? [] : [[name, read] as const];
  });
  return {
    members: members.map(([name]) => name),
    choices: members.flatMap(([name, { enum: values }]) =>
      values === undefined ? [] : [{ name, values, ...(name === 'vendor' ? { texts } : {}) }],
    ),
    counts: members.flatMap(([name, { isCount }]) => (isCount ? [name] : [])),
    texts: members.flatMap(([name, { title }]) => (title === undefined ? [] : [{ name, text: title }])),
  };
}
