import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

const minuteMs = 60_000;

/** The maximum lifetime of a notification channel of the suite CRM, in ms: 7 days (WREG-003). */
const maxLifetimeMs = 7 * 86_400_000;

/**
 * The lifetime requested for a channel, in ms: an hour below the maximum, so that a provider whose clock lags by less
 * than that accepts it.
 */
export const channelLifeMs = maxLifetimeMs - 60 * minuteMs;

/** The fraction of its lifetime after which a registration is renewed. */
const renewalShare = 0.7;

/** How far, in ms, the clock may run backwards before a registration is renewed at once. */
const clockToleranceMs = 5 * minuteMs;

/** How often the provider's list is checked while nothing is due, in ms: an hour. */
export const checkEveryMs = 60 * minuteMs;

type Life = Pick<WebhookRegistration, 'registeredAt' | 'expiresAt'>;

/** Returns when a registration is due for renewal, Unix ms: at 70 % of its lifetime; null when it does not expire. */
export function renewalAt({ registeredAt, expiresAt }: Life): number | null {
  if (expiresAt === null) return null;
  const from = registeredAt ?? expiresAt - maxLifetimeMs;
  return from + Math.max(0, expiresAt - from) * renewalShare;
}

/**
 * Whether a registration is due for renewal. If the clock was set back to before the registration, it is due at once.
 */
export function isRegistrationDue(life: Life, now: number): boolean {
  const at = renewalAt(life);
  return at !== null && (now >= at || now < (life.registeredAt ?? now) - clockToleranceMs);
}

/** Returns the seconds until expiry, 0 when it has expired; null when it does not expire. */
export function secondsToExpiry({ expiresAt }: Pick<WebhookRegistration, 'expiresAt'>, now: number): number | null {
  return expiresAt === null ? null : Math.max(0, Math.floor((expiresAt - now) / 1000));
}

/**
 * Returns the wait after `failures` consecutive failures, in ms: 1, 2, 4, 8 and then 15 minutes, or longer if the
 * provider asks for it, up to an hour.
 */
export function registrationRetryMs(failures: number, askedMs = 0): number {
  const usual = Math.min(15, 2 ** Math.max(0, failures - 1)) * minuteMs;
  return Math.max(usual, Math.min(askedMs, checkEveryMs));
}

/**
 * Whether a retry at a time, null for none, is still to be waited for, both in Unix ms. One that is further ahead than any is put off
 * was noted before the clock was set back.
 */
export function isPutOff(retryAt: number | null, now: number): boolean {
  return retryAt !== null && retryAt > now && retryAt <= now + checkEveryMs;
}
