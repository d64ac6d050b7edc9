import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The states of a registration: `wanted` is not registered yet; `registering` has been requested, with no answer
 * stored; `active` is registered; `uncertain` may be registered, which cannot be checked; `left` could not be removed
 * and remains at the provider.
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
  /** The URL for its deliveries. */
  url: string;
  /** A fingerprint that changes with the secret without revealing it; null when the webhook has no secret. */
  secretFingerprint: string | null;
  /** The account at the provider that it belongs to; null when unknown. */
  account: string | null;
}>;

/** The stored state of a webhook registration and its last attempt. Times are Unix ms by this server's clock. */
export type WebhookRegistration = DesiredWebhook &
  Readonly<{
    state: RegistrationState;
    /** When it entered the state. */
    since: number;
    /** The webhook's id at the provider, or the id chosen for it here; null when it has none or it is unknown. */
    remoteId: string | null;
    /** When it was last registered or renewed. */
    registeredAt: number | null;
    /** When it expires unless renewed; null when it does not expire. */
    expiresAt: number | null;
    /** When it was last checked, against the provider's list where there is one. */
    checkedAt: number | null;
    /** The number of consecutive failed attempts. */
    failures: number;
    /** The earliest time of the next attempt; null for any time. */
    retryAt: number | null;
    /** The problem, as text for people; null when there is none. */
    reason: string | null;
    /** Incremented with every change; 0 before it is stored. */
    version: number;
  }>;

/** A webhook in the provider's list. `events` is null when the list does not include them. */
export type RemoteWebhook = Readonly<{
  remoteId: string;
  url: string;
  events: readonly string[] | null;
  expiresAt: number | null;
  /** False when the provider has disabled it. */
  isEnabled: boolean;
}>;

/** Creates the registration of a desired webhook for which nothing has been done yet. */
export function wanted(options: DesiredWebhook, now: number): WebhookRegistration {
  const never = { remoteId: null, registeredAt: null, expiresAt: null, checkedAt: null, retryAt: null, reason: null };
  return { ...options, ...never, state: 'wanted', since: now, failures: 0, version: 0 };
}

/** Whether a listed webhook matches a desired one: the same URL, and the same events if the list includes them. */
export function isFor(remote: RemoteWebhook, options: DesiredWebhook): boolean {
  return isSameUrl(remote.url, options.url) && (remote.events === null || sameEvents(remote.events, options.events));
}

/** Whether a listed webhook sends at least one of the desired events to the same URL. */
export function overlaps(remote: RemoteWebhook, { url, events }: DesiredWebhook): boolean {
  return isSameUrl(remote.url, url) && (remote.events ?? events).some((event) => events.includes(event));
}

/** Whether a listed webhook also sends an event of a desired one; `*` stands for any word of an event. */
export function repeats({ events }: RemoteWebhook, desired: DesiredWebhook): boolean {
  return (events ?? []).some((pattern) => desired.events.some((event) => isLike(pattern, event)));
}

function isLike(pattern: string, event: string): boolean {
  const words = event.split('.');
  const expected = pattern.split('.');
  return words.length === expected.length && expected.every((word, at) => word === '*' || word === words[at]);
}

/** Whether two lists contain the same events, in any order. */
export function sameEvents(left: readonly string[], right: readonly string[]): boolean {
  const desiredEvents = new Set(right);
  return new Set(left).size === desiredEvents.size && left.every((event) => desiredEvents.has(event));
}

/** Compares URLs in their normal form, since a provider may list another spelling than it was given. */
export function isSameUrl(left: string, right: string): boolean {
  return left === right || (URL.canParse(left) && URL.canParse(right) && new URL(left).href === new URL(right).href);
}
