import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { DesiredWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/**
 * A webhook that a service's connection should have: its name, unique within the service, and the events to subscribe
 * to.
 */
export type WebhookOutline = Readonly<{ name: string; events: readonly string[] }>;

/** Why no webhook is registered at a connected service. */
export type RegistrationFailure = Readonly<{ reason: 'switched_off' | 'no_address' | 'no_secret'; message: string }>;

/** The settings that decide whether webhooks can be registered at a service. */
type Circumstances = Readonly<{
  /** Whether registration is switched on (WEBHOOK_REGISTRATION). */
  isOn: boolean;
  /** The configured BASE_URL; null when it is not set. */
  baseUrl: string | null;
  /** Whether the service's receiver has a secret to share with the provider. */
  hasSecret: boolean;
  /** The name of the environment variable for that secret, used in the message. */
  secretVariable: string;
}>;

/** Returns the URL for a service's deliveries (HOOK-001), or why nothing is registered and what to do about it. */
export function webhookAddress(
  service: ServiceKey,
  { isOn, baseUrl, hasSecret, secretVariable }: Circumstances,
): Result<string, RegistrationFailure> {
  if (!isOn) {
    const message = 'WEBHOOK_REGISTRATION is off. Existing webhooks are left unchanged and are not renewed.';
    return err({ reason: 'switched_off', message });
  }
  if (baseUrl === null || !isReachable(baseUrl)) {
    const message = 'Providers cannot reach this server: set BASE_URL to its public address.';
    return err({ reason: 'no_address', message });
  }
  if (!hasSecret) {
    const message = `Deliveries would be refused, since the receiver has no secret: set ${secretVariable}.`;
    return err({ reason: 'no_secret', message });
  }
  return ok(`${baseUrl}/webhooks/${service}`);
}

/** Whether a URL may be reachable from outside: its host is not this machine's own name or loopback address. */
export function isReachable(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return !/^(?:|localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(host);
}

/** Returns the webhooks desired at a service for a user's connection, whose `extra` may name the account. */
export function desiredWebhooksFor(
  { service, desired }: Readonly<{ service: ServiceKey; desired: readonly WebhookOutline[] }>,
  {
    userId,
    url,
    secretFingerprint,
    extra,
  }: Pick<DesiredWebhook, 'userId' | 'url' | 'secretFingerprint'> & {
    readonly extra: Readonly<Record<string, unknown>>;
  },
): readonly DesiredWebhook[] {
  const company = extra['company_domain'];
  const account = typeof company === 'string' ? company : null;
  return desired.map(({ name, events }) => ({
    userId,
    service,
    name,
    events,
    url,
    secretFingerprint,
    account,
  }));
}
