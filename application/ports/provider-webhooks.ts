import type { Failure } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { RegistrationFailure, WebhookOutline } from '#domain/webhook-registrations/desired-webhooks.ts';
import type { WebhookAbilities } from '#domain/webhook-registrations/next-step.ts';
import type { DesiredWebhook, RemoteWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** A webhook that was made or renewed. `warning` is for the log and the page: what its owner has to set right. */
export type RegisteredWebhook = Readonly<{ remoteId: string; expiresAt: number | null; warning: string | null }>;

/** Why a webhook was not made; `mayBeDone` when no answer came that says so, and it may have been made all the same. */
export type WebhookFailure = Readonly<{ failure: Failure; mayBeDone: boolean }>;

/** The webhooks of one service at its provider, over a user's connection. Calls end within a minute and never throw. */
export interface ProviderWebhooks {
  readonly service: ServiceKey;
  /** The webhooks that there should be for a connection. */
  readonly desired: readonly WebhookOutline[];
  readonly abilities: WebhookAbilities;
  /** Whether the receiver has a secret; without one every delivery would be refused. */
  readonly hasSecret: boolean;
  /** The variable that sets the secret, for messages. */
  readonly secretVariable: string;
  /** Tells the secret that webhooks are given from another, and gives nothing away; null where webhooks are given none. */
  readonly secretFingerprint: string | null;
  /** An id to make a webhook with, so that it can be told after a crash; null where the provider chooses. */
  newId(): string | null;
  /** The webhooks of this connection at the provider; null where they cannot be listed. */
  list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>>;
  /** Makes a webhook, with the id that was chosen for it or null. */
  create(desired: DesiredWebhook, id: string | null): Promise<Result<RegisteredWebhook, WebhookFailure>>;
  /** Renews a webhook, and makes it as desired. Called only where `abilities.renews`. */
  renew(desired: DesiredWebhook, remoteId: string): Promise<Result<RegisteredWebhook, Failure>>;
  /** Removes a webhook; one that is not there any more counts as removed. Called only where `abilities.removes`. */
  remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>>;
}

/** Where a service's deliveries go, or why nothing is registered there. */
export type WebhookAddress = (webhooks: ProviderWebhooks) => Result<string, RegistrationFailure>;
