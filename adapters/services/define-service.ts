import { z } from 'zod';
import { blankRecord } from '#adapters/services/blank-record.ts';
import { checkDefinition } from '#adapters/services/check-definition.ts';
import { checkedReaction, checkedSource } from '#adapters/services/checked-values.ts';
import type { OperationTable } from '#adapters/services/operation-table.ts';
import type { Provider } from '#adapters/services/provider.ts';
import type {
  ConfiguredService,
  ConfiguredWebhooks,
  Service,
  ServiceDefinition,
  SettingsOf,
  WebhookDefinition,
} from '#adapters/services/service.ts';
import {
  type Environment,
  readStandard,
  type SettingsOutline,
  settingOf,
  standardVariables,
} from '#adapters/services/service-settings.ts';
import { own } from '#domain/shared/own.ts';

/**
 * Creates a service from its definition. Throws when the definition does not fit, or a row names a dialect that the
 * service does not have: both are programming errors.
 */
export function defineService<Vendor extends string = never, More extends z.ZodRawShape = Record<string, never>>(
  definition: ServiceDefinition<Vendor, More>,
): Service<'neutral' | Vendor> {
  checkDefinition(definition);
  const { key, title, noun, connection, webhooks, instructions } = definition;
  const reactions = (definition.reactions ?? []).map((reaction, index) =>
    checkedReaction(reaction, `reactions[${index}] of the service ${key}`),
  );
  const outline = outlineOf(definition);
  const service: Service<'neutral' | Vendor> = {
    key,
    title,
    noun,
    dialects: outline.dialects,
    vendors: definition.vendors ?? {},
    guides: definition.guides ?? {},
    keyMethod: connection.key,
    hasOwnAddress: connection.hasOwnAddress === true,
    sendsWebhooks: webhooks !== undefined,
    webhookSecret: outline.webhookSecret,
    prefix: settingOf(key, ''),
    variables: { ...standardVariables(outline), ...definition.settings },
    instructions,
    reactions,
    configure: (env) => {
      const settings = { ...readStandard(outline, env), own: readOwn(definition.settings, env) };
      const given = new Set(Object.keys(service.variables).filter((name) => (own(env, name) ?? '') !== ''));
      return configured({ definition, service, settings, given, webhooks: webhooks ?? null });
    },
  };
  return service;
}

function outlineOf<Vendor extends string, More extends z.ZodRawShape>(
  definition: ServiceDefinition<Vendor, More>,
): SettingsOutline<'neutral' | Vendor> {
  const { key, vendors, connection, oauth, webhooks } = definition;
  const isVendor = (name: string): name is Vendor => vendors !== undefined && Object.hasOwn(vendors, name);
  return {
    key,
    dialects: ['neutral', ...Object.keys(vendors ?? {}).filter(isVendor)],
    hasAddress: connection.hasOwnAddress !== true,
    hasOAuth: oauth !== undefined,
    webhookSecret: webhooks?.secret ?? null,
  };
}

function readOwn<More extends z.ZodRawShape>(shape: More | undefined, env: Environment): z.output<z.ZodObject<More>> {
  const schema: z.ZodObject<More> = z.object(shape);
  return schema.parse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
}

type Making<Vendor extends string, More extends z.ZodRawShape> = Readonly<{
  definition: ServiceDefinition<Vendor, More>;
  service: Service;
  settings: SettingsOf<Vendor, More>;
  given: ReadonlySet<string>;
  webhooks: WebhookDefinition<SettingsOf<Vendor, More>> | null;
}>;

function configured<Vendor extends string, More extends z.ZodRawShape>({
  definition,
  service,
  settings,
  given,
  webhooks,
}: Making<Vendor, More>): ConfiguredService {
  const vendor = vendorOf(definition.vendors ?? {}, settings.dialect);
  const name = vendor === null ? definition.title : `${definition.title} (${vendor})`;
  const facts = definition.oauth?.(settings) ?? null;
  return {
    service,
    settings,
    vendor,
    name,
    given,
    hasAddress: () => service.hasOwnAddress || definition.dialect(settings).baseUrl(blankRecord(service.key)) !== null,
    recordAddress: definition.recordAddresses?.[settings.dialect],
    answeredAddress: definition.answeredAddresses?.[settings.dialect],
    provider: () => providerOf(definition, settings, vendor),
    grants: facts === null ? null : { name, facts, app: settings.app },
    webhooks: webhooks === null ? null : webhooksOf(service.key, webhooks, settings),
  };
}

function vendorOf(vendors: Readonly<Record<string, string>>, dialect: string): string | null {
  return own(vendors, dialect) ?? null;
}

function webhooksOf<Settings extends Readonly<{ webhookSecrets: readonly string[] }>>(
  key: string,
  { secret, otherSecrets, source, desired = [], registration }: WebhookDefinition<Settings>,
  settings: Settings,
): ConfiguredWebhooks {
  const given = settings.webhookSecrets;
  const secrets = given.length > 0 ? given : (otherSecrets?.(settings) ?? []);
  return {
    secretVariable: secret,
    secrets,
    source: () => checkedSource(source(settings, secrets), key),
    desired,
    registration:
      registration === undefined ? null : (dependencies) => registration(settings, { ...dependencies, secrets }),
  };
}

function providerOf<Vendor extends string, More extends z.ZodRawShape>(
  definition: ServiceDefinition<Vendor, More>,
  settings: SettingsOf<Vendor, More>,
  vendor: string | null,
): Provider {
  const { connection, names, changedNote, explainMissing, retries } = definition;
  const { extra, complete } = connection;
  const operations =
    typeof definition.operations === 'function' ? definition.operations(settings) : definition.operations;
  checkDialects(definition.key, operations, ['neutral', ...Object.keys(definition.vendors ?? {})]);
  const resolver = names?.();
  return {
    service: definition.key,
    title: definition.title,
    noun: definition.noun,
    vendor,
    instructions: definition.instructions,
    operations,
    dialect: definition.dialect(settings),
    oauth: definition.oauth?.(settings) ?? null,
    keyMethod: connection.key,
    hasOwnAddress: connection.hasOwnAddress === true,
    isOpenWorld: definition.isOpenWorld ?? true,
    probe: connection.probe,
    versionPrefixes: definition.versionPrefixes ?? [],
    timeoutMs: definition.timeoutMs ?? 30_000,
    maxBytes: definition.maxBytes ?? 32 * 1024 * 1024,
    ...(extra === undefined ? {} : { extra: typeof extra === 'function' ? extra(settings) : extra }),
    ...(complete === undefined ? {} : { complete: (record, http) => complete(record, http, settings) }),
    ...(resolver === undefined ? {} : { resolveNames: (...given) => resolver.resolve(...given) }),
    ...(changedNote === undefined ? {} : { changedNote }),
    ...(explainMissing === undefined ? {} : { explainMissing }),
    ...(retries === undefined ? {} : { retries }),
  };
}

/** Without this check, a typo in a dialect's name would silently send a row as in the neutral dialect. */
function checkDialects(service: string, operations: OperationTable, known: readonly string[]): void {
  for (const [name, operation] of Object.entries(operations)) {
    if (operation.kind === 'recipe') continue;
    const unknown = Object.keys(operation.options.dialects ?? {}).find((dialect) => !known.includes(dialect));
    if (unknown !== undefined) {
      throw new Error(
        `${service}: ${name} overrides the unknown dialect "${unknown}"; its dialects are ${known.join(', ')}.`,
      );
    }
  }
}
