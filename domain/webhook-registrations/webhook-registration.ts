import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The states of a registration: `wanted` is not registered yet; `registering` was begun, and its answer was not stored;
 * `active` is registered; `uncertain` may be registered, which cannot be checked; `left` could not be removed and
 * remains at the provider.
 */
export const registrationStates = ['wanted', 'registering', 'active', 'uncertain', 'left'] as const;

/** One of the five states. */
export type RegistrationState = (typeof registrationStates)[number];

/** A webhook that should be registered at a service, for a user's connection. */
export type DesiredWebhook = Readonly<{
  userId: number;
  service: ServiceKey;
  /** Unique for the user and the service. */
  name: string;
  /** The events it subscribes to, by the neutral dialect's names. */
  events: readonly string[];
  /** The address for its deliveries. */
  url: string;
  /**
   * A fingerprint of the secret, which changes with it and reveals nothing of it; null when the webhook has no secret.
   */
  secretFingerprint: string | null;
  /** The account at the provider that it belongs to; null when that is not known. */
  account: string | null;
}>;

/**
 * A webhook registration as it was last applied, and how that went: one row. Times are Unix ms by this server's clock.
 */
export type WebhookRegistration = DesiredWebhook &
  Readonly<{
    state: RegistrationState;
    /** When the state began. */
    since: number;
    /**
     * The webhook's id at the provider, or the id that was chosen for it; null when there is none or it is not known.
     */
    remoteId: string | null;
    /** When it was last registered or renewed. */
    registeredAt: number | null;
    /** When it expires unless it is renewed; null when it does not expire. */
    expiresAt: number | null;
    /** When it was last checked, in the provider's own list where there is one. */
    checkedAt: number | null;
    /** The number of failed attempts in a row. */
    failures: number;
    /** When the next attempt may be made; null for any time. */
    retryAt: number | null;
    /** The problem in a text for people; null when all is well. */
    reason: string | null;
    /** Grows with every change; 0 before it is stored. */
    version: number;
  }>;

/** A webhook in the provider's list. `events` is null where the list leaves them out. */
export type RemoteWebhook = Readonly<{
  remoteId: string;
  url: string;
  events: readonly string[] | null;
  expiresAt: number | null;
  /** False when the provider has switched it off. */
  isEnabled: boolean;
}>;

/** Creates the row of a desired webhook that nothing has been done about yet. */
export function wanted(options: DesiredWebhook, now: number): WebhookRegistration {
  const never = { remoteId: null, registeredAt: null, expiresAt: null, checkedAt: null, retryAt: null, reason: null };
  return { ...options, ...never, state: 'wanted', since: now, failures: 0, version: 0 };
}

/** Whether a listed webhook matches a desired one: the same address, and the same events as far as they are listed. */
export function isFor(remote: RemoteWebhook, options: DesiredWebhook): boolean {
  return remote.url === options.url && (remote.events === null || sameEvents(remote.events, options.events));
}

/** Whether two lists have the same events, in any order. */
export function sameEvents(left: readonly string[], right: readonly string[]): boolean {
  const desiredEvents = new Set(right);
  return new Set(left).size === desiredEvents.size && left.every((event) => desiredEvents.has(event));
}
