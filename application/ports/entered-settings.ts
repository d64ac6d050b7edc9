import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A setting of a vendor that an administrator entered, such as its client secret. `vendor` is the name of its dialect,
 * `userId` the administrator, `at` Unix ms.
 */
export type EnteredSetting = Readonly<{
  service: ServiceKey;
  vendor: string;
  /** 'client_id', 'client_secret', 'webhook_secret', … */
  name: string;
  value: string;
  userId: number;
  at: number;
}>;

/** Stores the settings that administrators entered, encrypted at rest. */
export interface EnteredSettings {
  /** Returns all of them; none when they cannot be decrypted. */
  read(): Promise<readonly EnteredSetting[]>;
  /** Replaces all of them. */
  replace(entered: readonly EnteredSetting[]): Promise<void>;
}

/** This server's app at a vendor; `isFirst` for the vendor of connections that name none. */
export type VendorApp = Readonly<{ service: ServiceKey; vendor: string; isFirst: boolean; clientId: string | null }>;
