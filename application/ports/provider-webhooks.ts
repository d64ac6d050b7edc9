import type { Failure } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { RegistrationFailure, WebhookOutline } from '#domain/webhook-registrations/desired-webhooks.ts';
import type { WebhookAbilities } from '#domain/webhook-registrations/next-step.ts';
import type { DesiredWebhook, RemoteWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** A created or renewed webhook. `warning` is for the log and the page: what its owner has to correct. */
export type RegisteredWebhook = Readonly<{ remoteId: string; expiresAt: number | null; warning: string | null }>;

/** The failure of a webhook's creation; `mayBeDone` when no answer confirms it, so that the webhook may exist. */
export type WebhookFailure = Readonly<{ failure: Failure; mayBeDone: boolean }>;

/**
 * Manages the webhooks of one service at its provider, over a user's connection. Calls end within a minute and never
 * throw.
 */
export interface ProviderWebhooks {
  readonly service: ServiceKey;
  /** The webhooks that a connection should have. */
  readonly desired: readonly WebhookOutline[];
  readonly abilities: WebhookAbilities;
  /** Whether the receiver has a secret; without one every delivery would be rejected. */
  readonly hasSecret: boolean;
  /** The environment variable that sets the secret, for messages. */
  readonly secretVariable: string;
  /**
   * A fingerprint that distinguishes the webhooks' secret from others and reveals nothing of it; null where webhooks
   * have none.
   */
  readonly secretFingerprint: string | null;
  /** Returns an id for a new webhook, so that it can be recognized after a crash; null where the provider chooses. */
  newId(): string | null;
  /** Lists the webhooks of this connection at the provider; null where they cannot be listed. */
  list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>>;
  /** Creates a webhook, with the id that was chosen for it or null. */
  create(desired: DesiredWebhook, id: string | null): Promise<Result<RegisteredWebhook, WebhookFailure>>;
  /** Renews a webhook, and updates it as desired. Called only where `abilities.renews`. */
  renew(desired: DesiredWebhook, remoteId: string): Promise<Result<RegisteredWebhook, Failure>>;
  /** Removes a webhook; one that no longer exists counts as removed. Called only where `abilities.removes`. */
  remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>>;
}

/** Returns where a service's deliveries go, or why nothing is registered there. */
export type WebhookAddress = (webhooks: ProviderWebhooks) => Result<string, RegistrationFailure>;
