import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** A setting of a service as a guide names it. Texts have `code` between backticks and links as [text](https://…). */
export type GuidedSetting = Readonly<{
  /** The name of its variable: 'SALES_CRM_CLIENT_ID'. */
  name: string;
  text: string;
  /** What it is needed for: to be spoken to at all, to connect by OAuth, to take deliveries; or nothing, as a rule. */
  need: 'speech' | 'oauth' | 'deliveries' | 'optional';
  /** The value to give where there is only one; null where it is the administrator's own. */
  value: string | null;
}>;

/** How a service is set up at one vendor: what to do there, and which settings to give here. Null: there is nothing of that kind. */
export type SetupGuide = Readonly<{
  service: ServiceKey;
  /** The title of the service: 'Sales CRM'. */
  title: string;
  dialect: string;
  /** The vendor's name; null in the neutral dialect. */
  vendor: string | null;
  /** The steps to make an app for OAuth. */
  app: readonly string[] | null;
  /** Where each user finds a key or token of their own. */
  key: readonly string[] | null;
  /** The steps to have changes delivered. */
  deliveries: readonly string[] | null;
  settings: readonly GuidedSetting[];
}>;

/** A service of this server with its guides: those of its vendors first, that of the neutral dialect last. */
export type ServiceSetup = Readonly<{
  service: ServiceKey;
  /** The dialect that is spoken now. */
  dialect: string;
  /** The names of the variables that are set. */
  given: ReadonlySet<string>;
  guides: readonly SetupGuide[];
}>;

/** What a check found: all is well, something may be missed, or it does not work; and what to do next. It contains no secret. */
export type SetupFinding = Readonly<{ mark: '✓' | '!' | '✗'; what: string; next: string | null }>;

/** Checks a service as it is set: its settings, its provider, and the connection of the user who asks. */
export type CheckSetup = (user: User, service: ServiceKey) => Promise<readonly SetupFinding[]>;
