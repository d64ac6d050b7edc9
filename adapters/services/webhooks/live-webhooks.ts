import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';

/** A vendor's webhooks with its configuration of that time; `current` returns the same object while that is the same. */
export function liveWebhooks(current: () => ProviderWebhooks): ProviderWebhooks {
  return {
    get service() {
      return current().service;
    },
    get desired() {
      return current().desired;
    },
    get abilities() {
      return current().abilities;
    },
    get hasSecret() {
      return current().hasSecret;
    },
    get secretVariable() {
      return current().secretVariable;
    },
    get secretFingerprint() {
      return current().secretFingerprint;
    },
    newId: () => current().newId(),
    list: (userId) => current().list(userId),
    create: (desired, id) => current().create(desired, id),
    renew: (desired, remoteId) => current().renew(desired, remoteId),
    remove: (userId, remoteId, signal) => current().remove(userId, remoteId, signal),
  };
}
