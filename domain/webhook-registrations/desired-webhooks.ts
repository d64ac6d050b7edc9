import { err, ok, type Result } from '#domain/shared/result.ts';
import type { DesiredWebhook, RegistrableService } from '#domain/webhook-registrations/webhook-registration.ts';

/**
 * The webhooks of each service. Those of the sales CRM and the tracker cover the events with a reaction (REACT-001,
 * REACT-002, REACT-005); in the suite CRM, whose events have no reaction yet, four modules are watched (WREG-001).
 */
export const webhooksByService: Readonly<
  Record<RegistrableService, readonly Readonly<{ name: string; events: readonly string[] }>[]>
> = {
  sales_crm: ['updated.deal', 'updated.person', 'updated.organization'].map((event) => ({
    name: event,
    events: [event],
  })),
  suite_crm: [{ name: 'records', events: ['Leads.all', 'Contacts.all', 'Accounts.all', 'Deals.all'] }],
  tracker: [{ name: 'issues', events: ['Issues'] }],
};

/** The reason why no webhook is registered at a connected service. */
export type RegistrationFailure = Readonly<{ reason: 'switched_off' | 'no_address' | 'no_secret'; message: string }>;

/** The settings that decide whether webhooks can be registered at a service. */
export type Circumstances = Readonly<{
  /** Whether registration is switched on (WEBHOOK_REGISTRATION). */
  isOn: boolean;
  /** The given BASE_URL; null when it was not set. */
  baseUrl: string | null;
  /** Whether the service's receiver has a secret to give to the provider. */
  hasSecret: boolean;
  /** The name of the environment variable for that secret, for the message. */
  secretVariable: string;
}>;

/** Returns the address for a service's deliveries (HOOK-001), or why nothing is registered and what would help. */
export function webhookAddress(
  service: RegistrableService,
  { isOn, baseUrl, hasSecret, secretVariable }: Circumstances,
): Result<string, RegistrationFailure> {
  if (!isOn) {
    const message = 'WEBHOOK_REGISTRATION is off. Hooks that are there stay as they are, and are not renewed.';
    return err({ reason: 'switched_off', message });
  }
  if (baseUrl === null || !isReachable(baseUrl)) {
    const message = 'Providers cannot reach this server: set BASE_URL to the address that it has from outside.';
    return err({ reason: 'no_address', message });
  }
  if (!hasSecret) {
    const message = `Deliveries would be refused, since the receiver has no secret: set ${secretVariable}.`;
    return err({ reason: 'no_secret', message });
  }
  return ok(`${baseUrl}/webhooks/${service}`);
}

/** Whether an address may be reachable from outside: any but this machine's own. */
export function isReachable(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return !/^(?:|localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(host);
}

/** Returns the desired webhooks at a service for a user's connection, whose `extra` may hold the account. */
export function desiredWebhooksFor(
  service: RegistrableService,
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
  return webhooksByService[service].map(({ name, events }) => ({
    userId,
    service,
    name,
    events,
    url,
    secretFingerprint,
    account,
  }));
}
