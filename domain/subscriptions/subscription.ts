/** The services at which this server registers its own hooks; the signing service's are set up there by hand. */
export const hookServiceKeys = ['sales_crm', 'suite_crm', 'tracker'] as const;

/** One of the three services at which hooks are registered. */
export type HookServiceKey = (typeof hookServiceKeys)[number];

/**
 * Where a subscription stands: `wanted` is not registered yet; `registering` was begun, and its answer was not stored;
 * `active` is registered; `uncertain` may be registered, and nobody can tell; `left` was not removed when it should have
 * been, and is the provider's now.
 */
export const subscriptionStates = ['wanted', 'registering', 'active', 'uncertain', 'left'] as const;

/** One of the five states. */
export type SubscriptionState = (typeof subscriptionStates)[number];

/** A hook that there should be at a service, for the connection of a user. */
export type HookWish = Readonly<{
  userId: number;
  service: HookServiceKey;
  /** Unique for the user and the service. */
  name: string;
  /** What it is told of, in the neutral dialect's words. */
  events: readonly string[];
  /** Where its deliveries go. */
  url: string;
  /** Changes when the hook has to be told another secret, and gives none away; null when it is told none. */
  secretMark: string | null;
  /** Whose account at the provider it is; null when that is not known. */
  account: string | null;
}>;

/** A line of the ledger: a hook as it was last registered, and how that went. Times are Unix ms by this server's clock. */
export type Subscription = HookWish &
  Readonly<{
    state: SubscriptionState;
    /** When the state began. */
    since: number;
    /** The hook's id at the provider, or the one that was chosen for it; null when there is none or it is not known. */
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

/** A hook as the provider lists it. `events` is null where the list does not tell them. */
export type RemoteHook = Readonly<{
  remoteId: string;
  url: string;
  events: readonly string[] | null;
  expiresAt: number | null;
  /** False when the sender has switched it off. */
  isEnabled: boolean;
}>;

/** A line that nothing has been done about yet. */
export function wanted(wish: HookWish, now: number): Subscription {
  const never = { remoteId: null, registeredAt: null, expiresAt: null, checkedAt: null, retryAt: null, reason: null };
  return { ...wish, ...never, state: 'wanted', since: now, failures: 0, version: 0 };
}

/** Whether a listed hook does what the wish wants: the same address, and the same events as far as they are told. */
export function isFor(remote: RemoteHook, wish: HookWish): boolean {
  return remote.url === wish.url && (remote.events === null || sameEvents(remote.events, wish.events));
}

/** Whether two lists have the same events, in any order. */
export function sameEvents(left: readonly string[], right: readonly string[]): boolean {
  const wished = new Set(right);
  return new Set(left).size === wished.size && left.every((event) => wished.has(event));
}
