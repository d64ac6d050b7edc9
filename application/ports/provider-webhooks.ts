import type { Failure } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { RegistrationFailure, WebhookOutline } from '#domain/webhook-registrations/desired-webhooks.ts';
import type { WebhookAbilities } from '#domain/webhook-registrations/next-step.ts';
import type { DesiredWebhook, RemoteWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** A created or renewed webhook. `warning` is for the log and the page: what an administrator has to correct. */
export type RegisteredWebhook = Readonly<{ remoteId: string; expiresAt: number | null; warning: string | null }>;

/** The failure of creating a webhook; `mayBeDone` when no answer arrived, so that the webhook may exist. */
export type WebhookFailure = Readonly<{ failure: Failure; mayBeDone: boolean }>;

/**
 * Manages one service's webhooks at its provider, over a user's connection. Calls return within a minute and never
 * throw.
 */
export interface ProviderWebhooks {
  readonly service: ServiceKey;
  /** The webhooks that a connection should have. */
  readonly desired: readonly WebhookOutline[];
  readonly abilities: WebhookAbilities;
  /** Whether the receiver has a secret; without one every delivery would be rejected. */
  readonly hasSecret: boolean;
  /** The environment variable of the secret, for messages. */
  readonly secretVariable: string;
  /** A fingerprint that identifies the webhooks' secret without revealing it; null when webhooks have none. */
  readonly secretFingerprint: string | null;
  /**
   * Returns an id for a new webhook, by which it can be recognized after a crash; null when the provider assigns ids.
   */
  newId(): string | null;
  /** Lists the webhooks of this connection at the provider; null where they cannot be listed. */
  list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>>;
  /** Creates a webhook, with the id chosen for it or null. */
  create(desired: DesiredWebhook, id: string | null): Promise<Result<RegisteredWebhook, WebhookFailure>>;
  /** Renews a webhook, updates it to match `desired`, and enables it. Called only if `abilities.renews`. */
  renew(desired: DesiredWebhook, remoteId: string): Promise<Result<RegisteredWebhook, Failure>>;
  /** Removes a webhook; one that no longer exists counts as removed. Called only if `abilities.removes`. */
  remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>>;
}

/** Returns the URL for a service's deliveries, or why nothing is registered there. */
export type WebhookAddress = (webhooks: ProviderWebhooks) => Result<string, RegistrationFailure>;
