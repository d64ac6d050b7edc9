import type { z } from 'zod';
import type { Dialect } from '#adapters/services/dialect.ts';
import type { OAuthFacts } from '#adapters/services/oauth-facts.ts';
import type { OperationTable } from '#adapters/services/operation-table.ts';
import type { Provider } from '#adapters/services/provider.ts';
import type { GrantSource } from '#adapters/services/provider-grants.ts';
import type { Environment, ServiceSettings } from '#adapters/services/service-settings.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ServiceInstructions } from '#application/ports/operation-catalog.ts';
import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import type { WebhookOutline } from '#domain/webhook-registrations/desired-webhooks.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** A connection method without OAuth. */
export type KeyMethod = Exclude<AuthMethod, 'oauth'>;

/** The dependencies of a webhook registration, beside the settings. */
export type RegistrarDependencies = Readonly<{
  caller: OperationCaller;
  /** What the receiver verifies deliveries with, the current one first. */
  secrets: readonly string[];
  /** The fingerprint of the current secret; null when there is none. */
  secretId: string | null;
  /** Now, in Unix ms. */
  now: () => number;
}>;

/**
 * What an administrator does at a vendor before a service can be used there, each a list of steps; usual ones stand in for what is
 * not given. Texts have `code` between backticks, names of
 * buttons between double asterisks, and links as [text](https://…).
 */
export type VendorGuide = Readonly<{
  /** To make an app for OAuth. */
  app?: readonly string[];
  /** To find a key or token of one's own. */
  key?: readonly string[];
  /** To have changes delivered. */
  deliveries?: readonly string[];
  /** What to give for a setting, by its variable, where there is more to say than usual. */
  settings?: Readonly<Record<string, string>>;
}>;

/** The record that a call was about: its id is the one in the answer, else in the input, behind its module where a service has several. */
export type RecordOfCall = Readonly<{
  operation: string;
  id: string;
  /** What the connection knows of its account. */
  extra: TokenRecord['extra'];
}>;

/** The webhooks of a service. */
export type WebhookDefinition<Settings> = Readonly<{
  /** The variable that holds the secrets of its deliveries: 'TRACKER_WEBHOOK_SECRET'. */
  secret: string;
  /** The secrets that hold while that variable is not set; none when not given. */
  otherSecrets?(settings: Settings): readonly string[];
  /** Verifies and reads its deliveries. */
  source(settings: Settings, secrets: readonly string[]): WebhookSource;
  /** The webhooks that this server registers there; none when not given. */
  desired?: readonly WebhookOutline[];
  /** Registers webhooks at the provider; without it an administrator sets them up there by hand. */
  registration?(settings: Settings, dependencies: RegistrarDependencies): ProviderWebhooks;
}>;

/**
 * A service as its folder's `service.ts` says it: everything that the rest of the program knows of it. `Vendor` are the names of its
 * vendors' dialects, `More` its settings beside the standard ones, by the names of their variables.
 */
export type ServiceDefinition<Vendor extends string, More extends z.ZodRawShape> = Readonly<{
  /** Lower-case words joined by underscores: the word of its routes, its permission, its columns and the prefix of its settings. */
  key: ServiceKey;
  /** The title that people read: 'Sales CRM'. */
  title: string;
  /** What its own sentences call it, which begin 'The sales CRM …'. */
  noun: string;
  /** The vendors whose dialects it is spoken to in beside the neutral one, by the dialects' names: `{ pipedrive: 'Pipedrive' }`. */
  vendors?: Readonly<Record<Vendor, string>>;
  /** How it is set up at its vendors, by their dialects' names. */
  guides?: Readonly<Partial<Record<'neutral' | NoInfer<Vendor>, VendorGuide>>>;
  settings?: More;
  operations: OperationTable | ((settings: SettingsOf<Vendor, More>) => OperationTable);
  /** The dialect that is set, as facts. */
  dialect(settings: SettingsOf<Vendor, More>): Dialect;
  /** How it does OAuth; without it, it has none. */
  oauth?(settings: SettingsOf<Vendor, More>): OAuthFacts;
  connection: Readonly<{
    /** How it is connected without OAuth; null when it is not. */
    key: KeyMethod | null;
    /** What a connection's `extra` may hold when a user gives it by hand. */
    extra?: z.ZodObject | ((settings: SettingsOf<Vendor, More>) => z.ZodObject);
    /** Whether the address is given with each connection, as `base_url`, and not set by an administrator. */
    hasOwnAddress?: boolean;
    /** The operation by which credentials are tried: one without required inputs that reads little. */
    probe: string;
    /** Completes a record before it is tried and kept, as `Provider.complete`. */
    complete?(
      record: TokenRecord,
      http: HttpClient,
      settings: SettingsOf<Vendor, More>,
    ): ReturnType<NonNullable<Provider['complete']>>;
  }>;
  /** Makes what turns the names among a row's inputs into ids; its memory is one server's. */
  names?(): Readonly<{ resolve: NonNullable<Provider['resolveNames']> }>;
  changedNote?: Provider['changedNote'];
  /** Where the vendors show the record of a call, by their dialects' names; null where a call is about none that they show. */
  recordAddresses?: Readonly<Partial<Record<'neutral' | NoInfer<Vendor>, (record: RecordOfCall) => string | null>>>;
  /** The same by the answer itself, where it names the address; only addresses at the vendor's own host are returned. */
  answeredAddresses?: Readonly<Partial<Record<'neutral' | NoInfer<Vendor>, (data: unknown) => string | null>>>;
  /** False where it reaches nothing beyond the user's own place. */
  isOpenWorld?: boolean;
  /** Prefixes that the REST routes leave out, such as `/api/v2`. */
  versionPrefixes?: readonly string[];
  /** Milliseconds that one request may take; 30,000 when not given. */
  timeoutMs?: number;
  /** Bytes that one answer may have; 32 MiB when not given. */
  maxBytes?: number;
  retries?: Provider['retries'];
  webhooks?: WebhookDefinition<SettingsOf<Vendor, More>>;
  /** What is done about its events, beside those of `domain/reactions`. */
  reactions?: readonly Reaction[];
  instructions: ServiceInstructions;
}>;

/** What the functions of a definition are given: the standard settings, and those of its own. */
export type SettingsOf<Vendor extends string, More extends z.ZodRawShape> = ServiceSettings<'neutral' | Vendor> &
  Readonly<{ own: z.output<z.ZodObject<More>> }>;

/** The webhooks of a service as it is set. */
export type ConfiguredWebhooks = Readonly<{
  secretVariable: string;
  /** The current one first; empty when none is set, and then every delivery is refused. */
  secrets: readonly string[];
  source(): WebhookSource;
  desired: readonly WebhookOutline[];
  /** Null where an administrator sets webhooks up by hand. */
  registration: ((dependencies: Omit<RegistrarDependencies, 'secrets'>) => ProviderWebhooks) | null;
}>;

/** A service with what is set for it. */
export type ConfiguredService = Readonly<{
  service: Service;
  settings: ServiceSettings;
  /** The vendor whose dialect is spoken; null in the neutral one. */
  vendor: string | null;
  /** What it is called on this server: 'Sales CRM (Pipedrive)'. */
  name: string;
  /** The names of its variables that are set. */
  given: ReadonlySet<string>;
  /** Whether its address is known: set, the vendor's own, or given with each connection. */
  hasAddress(): boolean;
  /** The service as the gateway speaks to it; each call makes one with a memory of its own. */
  provider(): Provider;
  /** Where the provider shows the record of a call; undefined where that is not known. */
  recordAddress: ((record: RecordOfCall) => string | null) | undefined;
  /** Where the provider shows the record that an answer is; undefined where answers do not say. */
  answeredAddress: ((data: unknown) => string | null) | undefined;
  /** Its OAuth facts and the app; null for a service without OAuth. */
  grants: GrantSource | null;
  /** Null for a service that sends none. */
  webhooks: ConfiguredWebhooks | null;
}>;

/** A service that has been defined. */
export type Service<Dialect extends string = string> = Readonly<{
  key: ServiceKey;
  title: string;
  /** What its own sentences call it: 'sales CRM'. */
  noun: string;
  /** The dialects that it can be spoken to in, 'neutral' first. */
  dialects: readonly Dialect[];
  /** The vendors' names, by their dialects' names. */
  vendors: Readonly<Record<string, string>>;
  guides: Readonly<Partial<Record<string, VendorGuide>>>;
  /** How it is connected without OAuth; null when it is not. */
  keyMethod: KeyMethod | null;
  /** Whether its address is given with each connection. */
  hasOwnAddress: boolean;
  sendsWebhooks: boolean;
  /** The variable of the secrets of its deliveries; null when it sends none. */
  webhookSecret: string | null;
  /** What the names of its settings begin with: 'SALES_CRM_'. */
  prefix: string;
  /** All its settings by the names of their variables. */
  variables: z.ZodRawShape;
  instructions: ServiceInstructions;
  reactions: readonly Reaction[];
  /** The service as an environment sets it, which fits `variables`. */
  configure(env: Environment): ConfiguredService;
}>;
