import type { VendorChoice } from '#application/setup/vendor-choice.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** A setting of a service in a setup guide. Texts mark `code` with backticks and links as [text](https://…). */
export type GuidedSetting = Readonly<{
  /** The name of its environment variable: 'SALES_CRM_CLIENT_ID'. */
  name: string;
  text: string;
  /** What requires it: any call to the service (`speech`), OAuth connections, or webhook deliveries; or `optional`. */
  need: 'speech' | 'oauth' | 'deliveries' | 'optional';
  /** The value to set if there is only one; null when the administrator chooses it. */
  value: string | null;
}>;

/** How to set up a service with one vendor: the steps there, and the settings here. Null members do not apply. */
export type SetupGuide = Readonly<{
  service: ServiceKey;
  /** The service's display name: 'Sales CRM'. */
  title: string;
  dialect: string;
  /** The vendor's name; null for the neutral dialect. */
  vendor: string | null;
  /** The steps to create an OAuth app. */
  app: readonly string[] | null;
  /** Where users find their own key or token. */
  key: readonly string[] | null;
  /** The steps to enable webhook deliveries. */
  deliveries: readonly string[] | null;
  settings: readonly GuidedSetting[];
}>;

/** A setting that an administrator can enter on the page of its service, for one of the vendors that serve it. */
export type EnterableSetting = Readonly<{
  /** What it is called there and in JSON: 'client_id'. */
  name: string;
  /** Its environment variable, whose value wins. */
  variable: string;
  isFromEnvironment: boolean;
  /** Returns why a value cannot be entered; null when it can. */
  errorIn(value: string): string | null;
}>;

/** A service of this server with its guides: those of its vendors first, that of the neutral dialect last. */
export type ServiceSetup = Readonly<{
  service: ServiceKey;
  /** The dialect that is configured, the first one of several. */
  dialect: string;
  /** All that are configured. */
  dialects: readonly string[];
  /** The names of the environment variables that are set. */
  given: ReadonlySet<string>;
  guides: readonly SetupGuide[];
  /** What can be entered, by the vendor's dialect. */
  enterable: Readonly<Record<string, readonly EnterableSetting[]>>;
  /** Its vendors, which an administrator chooses where the environment does not. */
  choice: VendorChoice;
}>;

/** The result of a check: passed, warning or failed; and the next step. Contains no secrets. */
export type SetupFinding = Readonly<{ mark: '✓' | '!' | '✗'; what: string; next: string | null }>;

/** Checks a service's setup: its settings, its provider, and the requesting user's connection. */
export type CheckSetup = (user: User, service: ServiceKey) => Promise<readonly SetupFinding[]>;
