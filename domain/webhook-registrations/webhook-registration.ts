/** The services at which this server registers its own webhooks; the signing service's are set up there by hand. */
export const registrableServices = ['sales_crm', 'suite_crm', 'tracker'] as const;

/** One of the three services at which webhooks are registered. */
export type RegistrableService = (typeof registrableServices)[number];

/**
 * How a registration is: `wanted` is not registered yet; `registering` was begun, and its answer was not stored;
 * `active` is registered; `uncertain` may be registered, and nobody can tell; `left` was not removed when it should have
 * been, and is the provider's now.
 */
export const registrationStates = ['wanted', 'registering', 'active', 'uncertain', 'left'] as const;

/** One of the five states. */
export type RegistrationState = (typeof registrationStates)[number];

/** A webhook that there should be at a service, for the connection of a user. */
export type DesiredWebhook = Readonly<{
  userId: number;
  service: RegistrableService;
  /** Unique for the user and the service. */
  name: string;
  /** What it is told of, in the neutral dialect's words. */
  events: readonly string[];
  /** Where its deliveries go. */
  url: string;
  /** Changes when the webhook has to be told another secret, and gives none away; null when it is told none. */
  secretFingerprint: string | null;
  /** Whose account at the provider it is; null when that is not known. */
  account: string | null;
}>;

/** A webhook as it was last registered, and how that went: one row of the registrations. Times are Unix ms by this server's clock. */
export type WebhookRegistration = DesiredWebhook &
  Readonly<{
    state: RegistrationState;
    /** When the state began. */
    since: number;
    /** The webhook's id at the provider, or the one that was chosen for it; null when there is none or it is not known. */
    remoteId: string | null;
    /** When it was last registered or renewed. */
    registeredAt: number | null;
    /** When it ends unless it is renewed; null when it does not end. */
    expiresAt: number | null;
    /** When it was last looked at, in the provider's own list where there is one. */
    checkedAt: number | null;
    /** How many tries in a row have failed. */
    failures: number;
    /** Not tried before then. */
    retryAt: number | null;
    /** What people are told of it; null when all is well. */
    reason: string | null;
    /** Grows with every change; 0 before it is kept. */
    version: number;
  }>;

/** A webhook as the provider lists it. `events` is null where the list does not tell them. */
export type RemoteWebhook = Readonly<{
  remoteId: string;
  url: string;
  events: readonly string[] | null;
  expiresAt: number | null;
  /** False when the sender has switched it off. */
  isEnabled: boolean;
}>;

/** A line that nothing has been done about yet. */
export function wanted(options: DesiredWebhook, now: number): WebhookRegistration {
  const never = { remoteId: null, registeredAt: null, expiresAt: null, checkedAt: null, retryAt: null, reason: null };
  return { ...options, ...never, state: 'wanted', since: now, failures: 0, version: 0 };
}

/** Whether a listed webhook does what is desired: the same address, and the same events as far as they are listed. */
export function isFor(remote: RemoteWebhook, options: DesiredWebhook): boolean {
  return remote.url === options.url && (remote.events === null || sameEvents(remote.events, options.events));
}

/** Whether two lists have the same events, in any order. */
export function sameEvents(left: readonly string[], right: readonly string[]): boolean {
  const desiredEvents = new Set(right);
  return new Set(left).size === desiredEvents.size && left.every((event) => desiredEvents.has(event));
}
