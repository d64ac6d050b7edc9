import { z } from 'zod';
import { blankRecord } from '#adapters/services/credentials/blank-record.ts';
import type { Kind } from '#adapters/services/definitions/kind.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { ConfiguredService, ConfiguredVendor, Service } from '#adapters/services/definitions/service.ts';
import {
  dialectsIn,
  type Environment,
  environmentOf,
  readStandard,
  type SettingsOutline,
  settingOf,
  standardVariables,
  vendorPrefix,
  vendorSetting,
} from '#adapters/services/definitions/service-settings.ts';
import type { Vendor, VendorFacts } from '#adapters/services/definitions/vendor.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { own } from '#domain/shared/own.ts';

/** Makes a service of a kind and the vendors that it can speak to, the neutral one first. */
export function serviceOf<Operations extends OperationTable, More extends z.ZodRawShape>(
  kind: Kind<Operations, More>,
  vendors: readonly Vendor[],
): Service {
  const { key, title, noun, keyMethod, hasOwnAddress = false, webhookSecret = null, reactions = [] } = kind;
  const names = vendors.map(({ name }) => name);
  const outline: SettingsOutline = {
    key,
    dialects: names,
    hasAddress: !hasOwnAddress && kind.remote?.reach.kind !== 'command',
    hasOAuth: vendors.some(({ hasOAuth }) => hasOAuth),
    webhookSecret,
    ...(kind.maxSecretLength === undefined ? {} : { maxSecretLength: kind.maxSecretLength }),
  };
  const variables: z.ZodRawShape = Object.assign(
    standardVariables(outline),
    kind.settings,
    ...vendors.map(({ settings }) => settings),
  );
  const titled = vendors.filter((vendor) => vendor.title !== null);
  const vendorVariables = Object.fromEntries(
    Object.entries(variables).flatMap(([variable, schema]) =>
      variable === settingOf(key, 'DIALECT')
        ? []
        : titled.map(({ name }) => [vendorSetting(key, name, variable), z.optional(schema)]),
    ),
  );
  const service: Service = {
    key,
    title,
    noun,
    dialects: names,
    vendors: Object.fromEntries(titled.map(({ name, title: called }) => [name, called ?? name])),
    guides: Object.fromEntries(vendors.map(({ name, guide }) => [name, guide])),
    keyMethod,
    hasOwnAddress,
    sendsWebhooks: vendors.some(({ sendsWebhooks }) => sendsWebhooks),
    webhookSecret,
    prefix: settingOf(key, ''),
    variables,
    vendorVariables,
    instructions: kind.instructions,
    reactions,
    enterable: Object.fromEntries(vendors.map((vendor) => [vendor.name, enterableOf({ key, webhookSecret }, vendor)])),
    kind,
    parts: vendors,
    configure: (env) => configuredService(service, outline, env),
  };
  return service;
}

/**
 * Adds a vendor to a service, such as a built-in one: `SALES_CRM_DIALECT` then takes its name. Throws when the vendor is
 * of another kind, or the name is taken.
 */
export function extendService(service: Service, vendor: Vendor): Service {
  const { key, kind, parts } = service;
  if (vendor.kind !== key) throw new Error(`The vendor ${vendor.name} is of the kind ${vendor.kind}, not ${key}.`);
  if (parts.some(({ name }) => name === vendor.name)) throw new Error(`${key} already has a vendor ${vendor.name}.`);
  return serviceOf(kind, [...parts, vendor]);
}

function configuredService(service: Service, outline: SettingsOutline, env: Environment): ConfiguredService {
  const { key, title, variables, vendorVariables, parts } = service;
  const all = dialectsIn(outline, env).flatMap((name, index) => {
    const isFirst = index === 0;
    const vendor = parts.find((part) => part.name === name);
    const read = environmentOf({ key, variables }, { vendor: name, isFirst }, env);
    const prefix = isFirst ? service.prefix : vendorPrefix(key, name);
    return vendor === undefined ? [] : [configuredVendor(service, vendor, { outline, env: read, prefix })];
  });
  const [first, ...rest] = all;
  if (first === undefined) throw new Error(`The service ${key} has no vendor.`);
  const names = [...Object.keys(variables), ...Object.keys(vendorVariables)];
  const given = new Set(names.filter((name) => (own(env, name) ?? '') !== ''));
  if (rest.length === 0) return { ...first, given, all };
  const others = rest.flatMap(({ settings, grants }) => (grants === null ? [] : [[settings.dialect, grants] as const]));
  return {
    ...first,
    name: title,
    given,
    all,
    provider: () => ({
      ...first.provider(),
      others: new Map(rest.map(({ settings, provider }) => [settings.dialect, provider()])),
    }),
    grants: first.grants === null ? null : { ...first.grants, others: new Map(others) },
  };
}

function configuredVendor(
  service: Service,
  vendor: Vendor,
  { outline, env, prefix }: Readonly<{ outline: SettingsOutline; env: Environment; prefix: string }>,
): ConfiguredVendor {
  const { key, title, kind } = service;
  const settings = readStandard(outline, vendor.name, env);
  const facts = vendor.configure(settings, env);
  const name = vendor.title === null ? title : `${title} (${vendor.title})`;
  const { oauth, webhooks } = facts;
  const secretVariable = `${prefix}${(kind.webhookSecret ?? '').slice(service.prefix.length)}`;
  return {
    service,
    settings,
    prefix,
    vendor: vendor.title,
    name,
    hasAddress: () => service.hasOwnAddress || facts.dialect().baseUrl(blankRecord(key)) !== null,
    recordAddress: vendor.recordAddress,
    answeredAddress: vendor.answeredAddress,
    provider: () => ({ ...providerOf(kind, vendor, facts), prefix }),
    grants: oauth === null ? null : { name, facts: oauth, app: settings.app, prefix },
    webhooks: webhooks === null ? null : { ...webhooks, secretVariable },
  };
}

/** Addresses are not among them: whoever could enter one would be sent everybody's tokens. */
function enterableOf(
  { key, webhookSecret }: Pick<Service, 'key' | 'webhookSecret'>,
  { hasOAuth, sendsWebhooks, entered }: Vendor,
) {
  const ofApp = ['client_id', 'client_secret', 'scopes'] as const;
  return [
    ...(hasOAuth ? ofApp.map((name) => ({ name, variable: settingOf(key, name.toUpperCase()) })) : []),
    ...(sendsWebhooks && webhookSecret !== null ? [{ name: 'webhook_secret', variable: webhookSecret }] : []),
    ...entered.map((variable) => ({ name: variable.slice(settingOf(key, '').length).toLowerCase(), variable })),
  ];
}

function providerOf(
  kind: Kind,
  { title: vendor, probe, requests, checks, changes: ofVendor }: Vendor,
  facts: VendorFacts,
): Provider {
  const { key, title, noun, keyMethod, instructions, names, changedNote, changes, explainMissing, retries } = kind;
  const resolver = names?.();
  return {
    service: key,
    title,
    noun,
    vendor,
    presence: { icon: kind.icon, example: kind.example },
    instructions,
    listed: facts.listed(),
    operations: facts.operations(),
    requests,
    checks,
    dialect: facts.dialect(),
    oauth: facts.oauth,
    keyMethod,
    hasOwnAddress: kind.hasOwnAddress === true,
    isOpenWorld: kind.isOpenWorld ?? true,
    probe: kind.probe,
    ...(probe && { probeRow: probe }),
    versionPrefixes: kind.versionPrefixes ?? [],
    timeoutMs: kind.timeoutMs ?? 30_000,
    maxBytes: kind.maxBytes ?? 32 * 1024 * 1024,
    ...(facts.extra && { extra: facts.extra }),
    ...(facts.complete && { complete: facts.complete }),
    ...(resolver && { resolveNames: (...given) => resolver.resolve(...given) }),
    ...(changedNote && { changedNote }),
    changes: { ...changes, ...ofVendor },
    ...(explainMissing && { explainMissing }),
    ...(retries && { retries }),
  };
}
