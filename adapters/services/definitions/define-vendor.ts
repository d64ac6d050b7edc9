import { z } from 'zod';
import type { ChangeRules } from '#adapters/services/changes/change-rule.ts';
import type { LiveCheck } from '#adapters/services/credentials/live-check.ts';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import { checkedSource } from '#adapters/services/definitions/checked-values.ts';
import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import type { Kind } from '#adapters/services/definitions/kind.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { Environment, ServiceSettings } from '#adapters/services/definitions/service-settings.ts';
import type {
  RecordOfCall,
  Vendor,
  VendorFacts,
  VendorGuide,
  VendorWebhooks,
} from '#adapters/services/definitions/vendor.ts';
import {
  type LackedInputs,
  type Lacking,
  operationsOf,
  type VendorOperations,
  type VendorRequests,
} from '#adapters/services/definitions/vendor-operations.ts';
import type { OperationTable, RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** The settings passed to the functions of a vendor: the standard ones, those of its kind, and its own. */
export type VendorSettings<KindMore extends z.ZodRawShape, More extends z.ZodRawShape> = ServiceSettings &
  Readonly<{ own: z.output<z.ZodObject<KindMore>> & z.output<z.ZodObject<More>> }>;

/**
 * A vendor as defined in its folder's `vendor.ts`: everything that the rest of the program knows about it. `KindMore`
 * are the kind's settings, `More` its own, by variable name.
 */
export type VendorDefinition<
  Operations extends OperationTable,
  KindMore extends z.ZodRawShape,
  Requests extends VendorRequests,
  More extends z.ZodRawShape,
> = Readonly<{
  /** Its name in `{SERVICE}_DIALECT`: 'pipedrive'. */
  name: string;
  /** The name that people read: 'Pipedrive'; null for the neutral dialect. */
  title: string | null;
  settings?: More;
  /** Those of its own settings that administrators may also enter on /setup; never an address. */
  entered?: readonly (keyof NoInfer<More> & string)[];
  /** Requests of its own that its recipes and its webhook registration send. */
  requests?: Requests;
  /** The operations of its kind, where they depend on its settings. */
  listed?(settings: VendorSettings<KindMore, More>): OperationTable;
  /** How it does the operations of its kind: each request has to be stated, unless `otherwise` says how. */
  operations:
    | VendorOperations<Operations, Requests>
    | ((settings: VendorSettings<KindMore, More>) => VendorOperations<Operations, Requests>);
  /** The inputs that its recipes have no equivalent of, by operation: calls that give one are refused. */
  lacksInputs?: LackedInputs<Operations>;
  /** How it does the requests that are not stated: as the neutral dialect, or not at all. */
  otherwise?: 'neutral' | Lacking;
  /** The request that tests credentials, without inputs; by default the kind's. */
  probe?: RequestRow;
  /** Addresses, authentication, naming, paging, errors, limits. */
  dialect(settings: VendorSettings<KindMore, More>): Dialect;
  /** Its OAuth facts; absent for a vendor without OAuth. */
  oauth?(settings: VendorSettings<KindMore, More>): OAuthFacts;
  /** The schema of what users may set in a connection's `extra`. */
  extra?: z.ZodObject | ((settings: VendorSettings<KindMore, More>) => z.ZodObject);
  /** Completes a record before it is tested and stored, as `Provider.complete`. */
  complete?(
    record: TokenRecord,
    http: HttpClient,
    settings: VendorSettings<KindMore, More>,
  ): ReturnType<NonNullable<Provider['complete']>>;
  /** The address of a call's record at the vendor; null when the call concerns no record with an address. */
  recordAddress?(record: RecordOfCall): string | null;
  /** The same, read from the answer if it contains the address; only addresses on the vendor's host are returned. */
  answeredAddress?(data: unknown): string | null;
  webhooks?: VendorWebhooks<VendorSettings<KindMore, More>>;
  /** What its documents leave open, for `doctor --live`. */
  checks?: readonly LiveCheck[];
  /** The rules of changes in which it differs from its kind, by operation. */
  changes?: ChangeRules;
  guide?: VendorGuide;
}>;

/**
 * Defines a vendor of a kind. Throws when it does not state how it does an operation, or states one that the kind does
 * not have: both are programming errors.
 */
export function defineVendor<
  Operations extends OperationTable,
  KindMore extends z.ZodRawShape,
  Requests extends VendorRequests = Record<string, never>,
  More extends z.ZodRawShape = Record<string, never>,
>(kind: Kind<Operations, KindMore>, definition: VendorDefinition<Operations, KindMore, Requests, More>): Vendor {
  const { name, title, requests, operations, dialect, oauth, extra, complete, webhooks } = definition;
  const table = (stated: VendorOperations<Operations, Requests>, listed: OperationTable = kind.operations) =>
    operationsOf(listed, {
      name,
      title: title ?? kind.title,
      called: `The ${title === null ? kind.title : `${kind.title} (${title})`} behind this server`,
      requests: requests ?? {},
      lacksInputs: definition.lacksInputs ?? {},
      stated,
      otherwise: definition.otherwise ?? null,
    });
  if (typeof operations !== 'function') table(operations);
  return {
    kind: kind.key,
    name,
    title,
    settings: { ...definition.settings },
    entered: definition.entered ?? [],
    hasOAuth: oauth !== undefined,
    sendsWebhooks: webhooks !== undefined,
    probe: definition.probe,
    requests: requests ?? {},
    checks: definition.checks ?? [],
    changes: definition.changes ?? {},
    guide: definition.guide ?? {},
    recordAddress: definition.recordAddress,
    answeredAddress: definition.answeredAddress,
    configure: (standard, env) => {
      const own = { ...readOwn(kind.settings, env), ...readOwn(definition.settings, env) };
      const settings = { ...standard, own };
      const listed = () => definition.listed?.(settings) ?? kind.operations;
      return {
        listed,
        operations: () =>
          typeof operations === 'function' ? table(operations(settings), listed()) : table(operations),
        dialect: () => dialect(settings),
        oauth: oauth?.(settings) ?? null,
        extra: typeof extra === 'function' ? extra(settings) : extra,
        complete: complete === undefined ? undefined : (record, http) => complete(record, http, settings),
        webhooks: webhooks === undefined ? null : webhooksOf(kind.key, webhooks, settings),
      };
    },
  };
}

function readOwn<More extends z.ZodRawShape>(shape: More | undefined, env: Environment): z.output<z.ZodObject<More>> {
  const schema: z.ZodObject<More> = z.object(shape);
  return schema.parse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
}

function webhooksOf<Settings extends ServiceSettings>(
  key: ServiceKey,
  { otherSecrets, source, desired = [], choosesSecrets = false, registration }: VendorWebhooks<Settings>,
  settings: Settings,
): VendorFacts['webhooks'] {
  const given = settings.webhookSecrets;
  const secrets = given.length > 0 ? given : (otherSecrets?.(settings) ?? []);
  return {
    secrets,
    source: (kept = []) => checkedSource(source(settings, [...secrets, ...kept]), key),
    choosesSecrets,
    desired,
    registration:
      registration === undefined ? null : (dependencies) => registration(settings, { ...dependencies, secrets }),
  };
}
