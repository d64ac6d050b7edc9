import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';
import type { HookAbilities } from '#domain/subscriptions/next-step.ts';
import type { HookServiceKey, HookWish, RemoteHook } from '#domain/subscriptions/subscription.ts';
import type { Obstacle } from '#domain/subscriptions/wished-hooks.ts';

/** A hook that was made or renewed. `warning` is for the log and the page: what its owner has to set right. */
export type RegisteredHook = Readonly<{ remoteId: string; expiresAt: number | null; warning: string | null }>;

/** Why a hook was not made; `mayBeDone` when no answer came that says so, and it may have been made all the same. */
export type HookFailure = Readonly<{ failure: Failure; mayBeDone: boolean }>;

/** The hooks of one service at its provider, over a user's connection. Calls end within a minute and never throw. */
export interface ProviderHooks {
  readonly service: HookServiceKey;
  readonly abilities: HookAbilities;
  /** Whether the receiver has a secret; without one every delivery would be refused. */
  readonly hasSecret: boolean;
  /** The variable that sets the secret, for messages. */
  readonly secretVariable: string;
  /** Tells the secret that hooks are given from another, and gives nothing away; null where hooks are given none. */
  readonly secretMark: string | null;
  /** An id to make a hook with, so that it can be told after a crash; null where the provider chooses. */
  newId(): string | null;
  /** The hooks of this connection at the provider; null where they cannot be listed. */
  list(userId: number): Promise<Result<readonly RemoteHook[] | null, Failure>>;
  /** Makes a hook, with the id that was chosen for it or null. */
  create(wish: HookWish, id: string | null): Promise<Result<RegisteredHook, HookFailure>>;
  /** Makes a hook last again, and be as wished. Called only where `abilities.renews`. */
  renew(wish: HookWish, remoteId: string): Promise<Result<RegisteredHook, Failure>>;
  /** Removes a hook; one that is not there any more counts as removed. Called only where `abilities.removes`. */
  remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>>;
}

/** Where a service's deliveries go, or why nothing is registered there. */
export type HookAddress = (hooks: ProviderHooks) => Result<string, Obstacle>;
