import type { z } from 'zod';
import { checkDefinition } from '#adapters/services/definitions/check-definition.ts';
import { checkedReaction } from '#adapters/services/definitions/checked-values.ts';
import { defineVendor, type VendorSettings } from '#adapters/services/definitions/define-vendor.ts';
import type { Kind } from '#adapters/services/definitions/kind.ts';
import type {
  Service,
  ServiceDefinition,
  SettingsOf,
  WebhookDefinition,
} from '#adapters/services/definitions/service.ts';
import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import type { Vendor, VendorWebhooks } from '#adapters/services/definitions/vendor.ts';
import { lacks, type VendorOperations } from '#adapters/services/definitions/vendor-operations.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { own } from '#domain/shared/own.ts';

/**
 * Creates a service from one definition: a kind, its neutral interface and, where it names them, vendors whose rows
 * differ. Throws when the definition does not fit, or a row names a vendor that the service does not have: both are
 * programming errors.
 */
export function defineService<Name extends string = never, More extends z.ZodRawShape = Record<string, never>>(
  definition: ServiceDefinition<Name, More>,
): Service<'neutral' | Name> {
  checkDefinition(definition);
  const { key, connection, webhooks, vendors, operations } = definition;
  const reactions = (definition.reactions ?? []).map((reaction, index) =>
    checkedReaction(reaction, `reactions[${index}] of the service ${key}`),
  );
  const kind: Kind<OperationTable, More> = {
    ...definition,
    operations: typeof operations === 'function' ? {} : operations,
    keyMethod: connection.key,
    ...(connection.hasOwnAddress === undefined ? {} : { hasOwnAddress: connection.hasOwnAddress }),
    probe: connection.probe,
    ...(webhooks === undefined ? {} : { webhookSecret: webhooks.secret }),
    reactions,
  };
  const isVendor = (name: string): name is Name => vendors !== undefined && Object.hasOwn(vendors, name);
  const names: readonly ('neutral' | Name)[] = ['neutral', ...Object.keys(vendors ?? {}).filter(isVendor)];
  if (typeof operations !== 'function') checkDialects(key, operations, names);
  const parts = names.map((name) => vendorOf(kind, definition, { name, title: own(vendors ?? {}, name) ?? null }));
  return { ...serviceOf(kind, parts), dialects: names };
}

/** A vendor of a service that defines its vendors with it: its functions read the vendor's name in the settings. */
function vendorOf<Name extends string, More extends z.ZodRawShape>(
  kind: Kind<OperationTable, More>,
  definition: ServiceDefinition<Name, More>,
  { name, title }: Readonly<{ name: 'neutral' | Name; title: string | null }>,
): Vendor {
  const { operations, dialect, oauth, connection, recordAddresses, answeredAddresses, webhooks, guides } = definition;
  const { extra, complete } = connection;
  const asSettings = (settings: VendorSettings<More, Record<string, never>>): SettingsOf<Name, More> => ({
    ...settings,
    dialect: name,
  });
  const table = typeof operations === 'function' ? operations : () => operations;
  return defineVendor(kind, {
    name,
    title,
    listed: (settings) => table(asSettings(settings)),
    operations: (settings) => statedIn(table(asSettings(settings)), name),
    otherwise: 'neutral',
    dialect: (settings) => dialect(asSettings(settings)),
    ...(oauth === undefined ? {} : { oauth: (settings) => oauth(asSettings(settings)) }),
    ...(typeof extra === 'function' ? { extra: (settings) => extra(asSettings(settings)) } : extra && { extra }),
    ...(complete && { complete: (record, http, settings) => complete(record, http, asSettings(settings)) }),
    ...(recordAddresses?.[name] && { recordAddress: recordAddresses[name] }),
    ...(answeredAddresses?.[name] && { answeredAddress: answeredAddresses[name] }),
    ...(webhooks && { webhooks: webhooksWith(webhooks, asSettings) }),
    guide: guides?.[name] ?? {},
  });
}

function webhooksWith<Given, Settings>(
  { otherSecrets, source, desired = [], choosesSecrets = false, registration }: WebhookDefinition<Settings>,
  asSettings: (given: Given) => Settings,
): VendorWebhooks<Given> {
  return {
    desired,
    choosesSecrets,
    source: (settings, secrets) => source(asSettings(settings), secrets),
    ...(otherSecrets && { otherSecrets: (settings) => otherSecrets(asSettings(settings)) }),
    ...(registration && { registration: (settings, rest) => registration(asSettings(settings), rest) }),
  };
}

/** What the rows say of a vendor. */
function statedIn(table: OperationTable, name: string): VendorOperations<OperationTable, Record<string, never>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([operation, { kind, options }]) => {
      const how = kind === 'request' && 'dialects' in options ? own(options.dialects ?? {}, name) : undefined;
      return how === undefined ? [] : [[operation, how === 'absent' ? lacks() : how]];
    }),
  );
}

/** Without this check, a typo in a vendor's name would silently send a row as in the neutral interface. */
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
