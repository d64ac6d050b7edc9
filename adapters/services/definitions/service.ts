import type { z } from 'zod';
import type { ChangeRules } from '#adapters/services/changes/change-rule.ts';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import type { GrantSource } from '#adapters/services/credentials/provider-grants.ts';
import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import type { KeyMethod, Kind } from '#adapters/services/definitions/kind.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { Environment, ServiceSettings } from '#adapters/services/definitions/service-settings.ts';
import type {
  Vendor as AnyVendor,
  ConfiguredWebhooks,
  RecordOfCall,
  VendorGuide,
  VendorWebhooks,
} from '#adapters/services/definitions/vendor.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import type { ServiceInstructions } from '#application/ports/operation-catalog.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** The webhooks of a service. */
export type WebhookDefinition<Settings> = VendorWebhooks<Settings> &
  Readonly<{
    /** The variable that holds the secrets of its deliveries: 'TRACKER_WEBHOOK_SECRET'. */
    secret: string;
  }>;

/**
 * A service as defined in its folder's `service.ts`: everything that the rest of the program knows about it. `Vendor`
 * are the names of its vendors' dialects, `More` its settings besides the standard ones, by variable name.
 */
export type ServiceDefinition<Vendor extends string, More extends z.ZodRawShape> = Readonly<{
  /**
   * Lower-case words joined by underscores, used for its routes, permission, columns and the prefix of its settings.
   */
  key: ServiceKey;
  /** The title that people read: 'Sales CRM'. */
  title: string;
  /** The noun in its sentences, 'The sales CRM …'. */
  noun: string;
  /** The name of its icon on the pages; a compass by default. */
  icon?: string;
  /** A sentence to try with an assistant, which only reads, or writes a note. */
  example?: string;
  /** The vendors whose dialects it supports besides the neutral one, by dialect name: `{ pipedrive: 'Pipedrive' }`. */
  vendors?: Readonly<Record<Vendor, string>>;
  /** Its setup guides, by dialect name. */
  guides?: Readonly<Partial<Record<'neutral' | NoInfer<Vendor>, VendorGuide>>>;
  settings?: More;
  operations: OperationTable | ((settings: SettingsOf<Vendor, More>) => OperationTable);
  /** How its changes are planned and taken back, by operation; one without a rule cannot be taken back. */
  changes?: ChangeRules;
  /** The facts of the configured dialect. */
  dialect(settings: SettingsOf<Vendor, More>): Dialect;
  /** Its OAuth facts; absent for a service without OAuth. */
  oauth?(settings: SettingsOf<Vendor, More>): OAuthFacts;
  connection: Readonly<{
    /** The connection method besides OAuth; null when there is none. */
    key: KeyMethod | null;
    /** The schema of what users may set in a connection's `extra`. */
    extra?: z.ZodObject | ((settings: SettingsOf<Vendor, More>) => z.ZodObject);
    /** Whether each connection has its own address, in `base_url`, as opposed to one set by an administrator. */
    hasOwnAddress?: boolean;
    /** The operation that tests credentials: one without required inputs that reads little. */
    probe: string;
    /** Completes a record before it is tested and stored, as `Provider.complete`. */
    complete?(
      record: TokenRecord,
      http: HttpClient,
      settings: SettingsOf<Vendor, More>,
    ): ReturnType<NonNullable<Provider['complete']>>;
  }>;
  /** Creates the resolver of names among a row's inputs; its cache belongs to one server. */
  names?(): Readonly<{ resolve: NonNullable<Provider['resolveNames']> }>;
  changedNote?: Provider['changedNote'];
  explainMissing?: NonNullable<Provider['explainMissing']>;
  /**
   * The address of a call's record at the vendor, by dialect name; null when the call concerns no record with an
   * address.
   */
  recordAddresses?: Readonly<Partial<Record<'neutral' | NoInfer<Vendor>, (record: RecordOfCall) => string | null>>>;
  /** The same, read from the answer if it contains the address; only addresses on the vendor's host are returned. */
  answeredAddresses?: Readonly<Partial<Record<'neutral' | NoInfer<Vendor>, (data: unknown) => string | null>>>;
  /** False for a service that reaches nothing beyond the user's own data. */
  isOpenWorld?: boolean;
  /** Path prefixes that the REST routes omit, such as `/api/v2`. */
  versionPrefixes?: readonly string[];
  /** The timeout of one request, in ms; 30,000 by default. */
  timeoutMs?: number;
  /** The maximum size of one answer, in bytes; 32 MiB by default. */
  maxBytes?: number;
  retries?: Provider['retries'];
  webhooks?: WebhookDefinition<SettingsOf<Vendor, More>>;
  /** Reactions to its events, besides those of `domain/reactions`. */
  reactions?: readonly Reaction[];
  instructions: ServiceInstructions;
  /** What the tools over all services ask of it; without it they leave it out. */
  questions?: ServiceQuestions;
}>;

/** The settings passed to the functions of a definition: the standard ones, and its own. */
export type SettingsOf<Vendor extends string, More extends z.ZodRawShape> = ServiceSettings<'neutral' | Vendor> &
  Readonly<{ own: z.output<z.ZodObject<More>> }>;

/** A vendor of a service with its configuration. */
export type ConfiguredVendor = Readonly<{
  service: Service;
  settings: ServiceSettings;
  /** The prefix of its settings' names: 'SALES_CRM_'. */
  prefix: string;
  /** The vendor's name; null in the neutral dialect. */
  vendor: string | null;
  /** Its display name on this server: 'Sales CRM (Pipedrive)'. */
  name: string;
  /** Whether its address is known: configured, the vendor's own, or set per connection. */
  hasAddress(): boolean;
  /** Creates the service as the gateway uses it; each call creates one with its own cache. */
  provider(): Provider;
  /** The address of a call's record at the provider; undefined where it is not known. */
  recordAddress: ((record: RecordOfCall) => string | null) | undefined;
  /** The address of an answer's record at the provider; undefined where answers do not contain it. */
  answeredAddress: ((data: unknown) => string | null) | undefined;
  /** Its OAuth facts and the app; null for a service without OAuth. */
  grants: GrantSource | null;
  /** Null for a service that sends no webhooks. */
  webhooks: ConfiguredWebhooks | null;
}>;

/** A service with its configuration; its members besides `name` and `given` are those of its first vendor. */
export type ConfiguredService = ConfiguredVendor &
  Readonly<{
    /** The names of its variables that are set. */
    given: ReadonlySet<string>;
    /** The vendors that serve it, the first one first. */
    all: readonly ConfiguredVendor[];
  }>;

/** A service that has been defined. */
export type Service<Dialect extends string = string> = Readonly<{
  key: ServiceKey;
  title: string;
  /** The noun in its sentences: 'sales CRM'. */
  noun: string;
  /** The dialects that it supports, 'neutral' first. */
  dialects: readonly Dialect[];
  /** The vendors' names, by dialect name. */
  vendors: Readonly<Record<string, string>>;
  guides: Readonly<Partial<Record<string, VendorGuide>>>;
  /** The connection method besides OAuth; null when there is none. */
  keyMethod: KeyMethod | null;
  /** Whether each connection has its own address. */
  hasOwnAddress: boolean;
  sendsWebhooks: boolean;
  /** The variable of the secrets of its deliveries; null when it sends none. */
  webhookSecret: string | null;
  /** The prefix of its settings' names: 'SALES_CRM_'. */
  prefix: string;
  /** All its settings, by variable name. */
  variables: z.ZodRawShape;
  /** The same settings for one of several vendors: `SALES_CRM_PIPEDRIVE_URL`. */
  vendorVariables: z.ZodRawShape;
  /**
   * The settings that an administrator may enter while the server runs, by dialect name, with the variables that they
   * have of the first vendor.
   */
  enterable: Readonly<Record<string, readonly Readonly<{ name: string; variable: string }>[]>>;
  kind: Kind;
  /** What it was made from, for adding a vendor. */
  parts: readonly AnyVendor[];
  instructions: ServiceInstructions;
  reactions: readonly Reaction[];
  /** Configures the service from an environment that satisfies `variables`. */
  configure(env: Environment): ConfiguredService;
}>;
