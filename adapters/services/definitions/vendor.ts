import type { z } from 'zod';
import type { ChangeRules } from '#adapters/services/changes/change-rule.ts';
import type { LiveCheck } from '#adapters/services/credentials/live-check.ts';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { Environment, ServiceSettings } from '#adapters/services/definitions/service-settings.ts';
import type { OperationTable, RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { WebhookOutline } from '#domain/webhook-registrations/desired-webhooks.ts';

/** The dependencies of a webhook registration, besides the settings. */
export type RegistrarDependencies = Readonly<{
  caller: OperationCaller;
  /** The secrets that the receiver verifies deliveries with, the current one first. */
  secrets: readonly string[];
  /** The fingerprint of the current secret; null when there is none. */
  secretId: string | null;
  /** Now, in Unix ms. */
  now: () => number;
  /** The URL of the receiver; null while BASE_URL is not set. */
  url: string | null;
  /** Stores a secret that the vendor chose for a webhook, which the receiver then accepts too. */
  keepSecret: (secret: string) => Promise<void>;
}>;

/**
 * What an administrator does at a vendor before a service can be used, as lists of steps; defaults replace missing
 * lists. Texts have `code` in backticks, names of buttons in double asterisks, and links as [text](https://…).
 */
export type VendorGuide = Readonly<{
  /** Creating an app for OAuth. */
  app?: readonly string[];
  /** Finding one's key or token. */
  key?: readonly string[];
  /** Setting up webhooks. */
  deliveries?: readonly string[];
  /** What to enter for a setting, by variable, where there is more to say than the default. */
  settings?: Readonly<Record<string, string>>;
}>;

/**
 * The record that a call concerned. Its id is the one in the answer, else in the input, preceded by its module where a
 * service has several.
 */
export type RecordOfCall = Readonly<{
  operation: string;
  id: string;
  /** The connection's `extra`. */
  extra: TokenRecord['extra'];
}>;

/** The webhooks of a vendor. */
export type VendorWebhooks<Settings> = Readonly<{
  /** The secrets used while the variable of the service is not set; none by default. */
  otherSecrets?(settings: Settings): readonly string[];
  /** Verifies and parses its deliveries. */
  source(settings: Settings, secrets: readonly string[]): WebhookSource;
  /** The webhooks that this server registers there; none by default. */
  desired?: readonly WebhookOutline[];
  /** Whether the vendor chooses the secrets of registered webhooks: none has to be configured. */
  choosesSecrets?: boolean;
  /** Registers webhooks at the provider; without it an administrator sets them up by hand. */
  registration?(settings: Settings, dependencies: RegistrarDependencies): ProviderWebhooks;
}>;

/** The webhooks of a service as configured. */
export type ConfiguredWebhooks = Readonly<{
  secretVariable: string;
  /** The current one first; when empty, every delivery is rejected. */
  secrets: readonly string[];
  /** The receiver; `kept` are stored secrets that it accepts besides. */
  source(kept?: readonly string[]): WebhookSource;
  choosesSecrets: boolean;
  desired: readonly WebhookOutline[];
  /** Null where an administrator sets webhooks up by hand. */
  registration: ((dependencies: Omit<RegistrarDependencies, 'secrets'>) => ProviderWebhooks) | null;
}>;

/** What a vendor does with its settings. */
export type VendorFacts = Readonly<{
  /** The operations as they are listed, in the kind's words. */
  listed(): OperationTable;
  /** The same operations as this vendor does them. */
  operations(): OperationTable;
  dialect(): Dialect;
  oauth: OAuthFacts | null;
  extra: z.ZodObject | undefined;
  complete: Provider['complete'];
  webhooks: Omit<ConfiguredWebhooks, 'secretVariable'> | null;
}>;

/** A vendor of a kind, ready to be given to a service. */
export type Vendor = Readonly<{
  kind: ServiceKey;
  name: string;
  title: string | null;
  settings: z.ZodRawShape;
  /** Those of its own settings that administrators may also enter. */
  entered: readonly string[];
  hasOAuth: boolean;
  sendsWebhooks: boolean;
  probe: RequestRow | undefined;
  /** Requests of its own, by name, which are no operations. */
  requests: OperationTable;
  checks: readonly LiveCheck[];
  /** The rules of changes in which it differs from its kind. */
  changes: ChangeRules;
  guide: VendorGuide;
  recordAddress: ((record: RecordOfCall) => string | null) | undefined;
  answeredAddress: ((data: unknown) => string | null) | undefined;
  /** Reads its own settings from `env`. */
  configure(settings: ServiceSettings, env: Environment): VendorFacts;
}>;
