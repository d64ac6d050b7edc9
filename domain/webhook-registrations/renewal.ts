import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

const minuteMs = 60_000;

/** How long a notification channel of the suite CRM lives at the most, in ms: 7 days (WREG-003). */
export const maxLifetimeMs = 7 * 86_400_000;

/**
 * How long a channel is asked to live, in ms: an hour less than is allowed, so that a provider whose clock is behind ours
 * by less than that does not refuse it.
 */
export const channelLifeMs = maxLifetimeMs - 60 * minuteMs;

/** Which part of its life is over when a registration is renewed. */
export const renewalShare = 0.7;

/** How far the clock may have gone back before its word is not taken any more, in ms. */
const clockToleranceMs = 5 * minuteMs;

/** How often the provider's own list is looked at while all is well, in ms: an hour. */
export const lookEveryMs = 60 * minuteMs;

type Life = Pick<WebhookRegistration, 'registeredAt' | 'expiresAt'>;

/** When it is to be renewed, Unix ms: at 70 % of its life; null when it does not end. */
export function renewalAt({ registeredAt, expiresAt }: Life): number | null {
  if (expiresAt === null) return null;
  const from = registeredAt ?? expiresAt - maxLifetimeMs;
  return from + Math.max(0, expiresAt - from) * renewalShare;
}

/** Whether it is to be renewed now. A clock that was set back behind the registration makes it due at once. */
export function isRegistrationDue(life: Life, now: number): boolean {
  const at = renewalAt(life);
  return at !== null && (now >= at || now < (life.registeredAt ?? now) - clockToleranceMs);
}

/** How many seconds it has left, none when it is over; null when it does not end. */
export function secondsToExpiry({ expiresAt }: Pick<WebhookRegistration, 'expiresAt'>, now: number): number | null {
  return expiresAt === null ? null : Math.max(0, Math.floor((expiresAt - now) / 1000));
}

/** How long to wait after that many failures in a row, in ms: 1, 2, 4, 8 and then 15 minutes, or longer when the provider asks. */
export function registrationRetryMs(failures: number, askedMs = 0): number {
  const usual = Math.min(15, 2 ** Math.max(0, failures - 1)) * minuteMs;
  return Math.max(usual, Math.min(askedMs, lookEveryMs));
}
