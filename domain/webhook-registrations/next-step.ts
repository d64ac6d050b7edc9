import { checkEveryMs, isPutOff, isRegistrationDue } from '#domain/webhook-registrations/renewal.ts';
import {
  type DesiredWebhook,
  isFor,
  isSameUrl,
  overlaps,
  type RemoteWebhook,
  sameEvents,
  type WebhookRegistration,
} from '#domain/webhook-registrations/webhook-registration.ts';

/** What a service's webhooks support besides creation. */
export type WebhookAbilities = Readonly<{ renews: boolean; removes: boolean }>;

/** The reason for a step. */
export type StepReason =
  | 'new'
  | 'answer_lost'
  | 'expired'
  | 'lost'
  | 'disabled'
  | 'changed'
  | 'account_changed'
  | 'ageing'
  | 'found';

/** A step for one registration. `replaces` is the remote id of a webhook to remove first; null for none. */
export type RegistrationStep =
  | Readonly<{ do: 'nothing' }>
  | Readonly<{ do: 'create'; reason: StepReason; replaces: string | null }>
  | Readonly<{ do: 'renew'; reason: StepReason; remoteId: string }>
  | Readonly<{ do: 'adopt'; reason: StepReason; remoteId: string | null; expiresAt: number | null }>
  | Readonly<{ do: 'doubt' }>;

/** The facts that determine the next step. */
export type Situation = Readonly<{
  desired: DesiredWebhook;
  entry: WebhookRegistration;
  /** The provider's list of webhooks; null when it is not available. */
  remote: readonly RemoteWebhook[] | null;
  abilities: WebhookAbilities;
  /** When the service's last delivery arrived, Unix ms; null for never. */
  lastDeliveryAt: number | null;
  now: number;
}>;

const nothing: RegistrationStep = { do: 'nothing' };

/** Whether the registration has to be checked: a step may be needed, or the last check is an hour old. */
export function isCheckDue(entry: WebhookRegistration, desired: DesiredWebhook, now: number): boolean {
  if (isPutOff(entry.retryAt, now)) return false;
  if (entry.state !== 'active' || entry.checkedAt === null) return true;
  const isOld = now >= entry.checkedAt + checkEveryMs || now < entry.checkedAt;
  return isOld || isRegistrationDue(entry, now) || isChanged(entry, desired) || isElsewhere(entry, desired);
}

/** Decides the next step from the desired webhook, the registration and the provider's list. */
export function nextStep(situation: Situation): RegistrationStep {
  switch (situation.entry.state) {
    case 'wanted':
      return fromNothing(situation, 'new');
    case 'registering':
      return afterLostAnswer(situation);
    case 'uncertain':
      return afterDoubt(situation);
    case 'left':
      return afterLeaving(situation);
    case 'active':
      return whileActive(situation);
  }
}

/** Returns the orphans: webhooks at the provider that duplicate a desired one but belong to no stored registration. */
export function orphans(
  remote: readonly RemoteWebhook[],
  desiredWebhooks: readonly DesiredWebhook[],
  { entries, abilities }: Readonly<{ entries: readonly WebhookRegistration[]; abilities: WebhookAbilities }>,
): readonly RemoteWebhook[] {
  const known = new Set(entries.map(({ remoteId }) => remoteId));
  return remote.filter(
    (webhook) => !known.has(webhook.remoteId) && desiredWebhooks.some((desired) => isTwin(webhook, desired, abilities)),
  );
}

/**
 * Returns the strangers: webhooks at the provider that send to a desired webhook's URL, and are neither stored
 * registrations nor orphans. Somebody made them by hand, perhaps for other events.
 */
export function strangers(
  remote: readonly RemoteWebhook[],
  desiredWebhooks: readonly DesiredWebhook[],
  { entries, abilities }: Readonly<{ entries: readonly WebhookRegistration[]; abilities: WebhookAbilities }>,
): readonly RemoteWebhook[] {
  const known = new Set(entries.map(({ remoteId }) => remoteId));
  return remote.filter(
    (webhook) =>
      !known.has(webhook.remoteId) &&
      desiredWebhooks.some(({ url }) => isSameUrl(webhook.url, url)) &&
      !desiredWebhooks.some((desired) => isTwin(webhook, desired, abilities)),
  );
}

/** Whether a webhook does what is desired. One that can be updated may do only part of it. */
function isTwin(webhook: RemoteWebhook, desired: DesiredWebhook, { renews }: WebhookAbilities): boolean {
  return isFor(webhook, desired) || (renews && overlaps(webhook, desired));
}

/**
 * Creates the webhook, unless the provider already has a matching one. That one is renewed or adopted, or replaced
 * where its secret cannot be updated.
 */
function fromNothing({ desired, entry, remote, abilities }: Situation, reason: StepReason): RegistrationStep {
  const twin = remote?.find((webhook) => isTwin(webhook, desired, abilities)) ?? null;
  if (twin === null) return { do: 'create', reason, replaces: abilities.removes ? entry.remoteId : null };
  if (abilities.renews) return { do: 'renew', reason: 'found', remoteId: twin.remoteId };
  if (abilities.removes) return { do: 'create', reason, replaces: twin.remoteId };
  return { do: 'adopt', reason: 'found', remoteId: twin.remoteId, expiresAt: twin.expiresAt };
}

function afterLostAnswer(situation: Situation): RegistrationStep {
  const { desired, entry, remote, abilities } = situation;
  if (remote !== null) {
    const made =
      remote.find(({ remoteId }) => remoteId === entry.remoteId) ??
      remote.find((webhook) => isTwin(webhook, desired, abilities));
    if (made === undefined) return { do: 'create', reason: 'answer_lost', replaces: null };
    const { remoteId, expiresAt, isEnabled } = made;
    if (isEnabled && isFor(made, desired) && !isChanged(entry, desired)) {
      return { do: 'adopt', reason: 'answer_lost', remoteId, expiresAt };
    }
    return fromNothing(situation, 'answer_lost');
  }
  // The id was chosen by this server: remove the webhook that may exist under it before creating another.
  if (entry.remoteId !== null && abilities.removes) {
    return { do: 'create', reason: 'answer_lost', replaces: entry.remoteId };
  }
  return { do: 'doubt' };
}

function afterDoubt(situation: Situation): RegistrationStep {
  const { entry, remote, lastDeliveryAt } = situation;
  if (remote !== null) return afterLostAnswer(situation);
  // Deliveries have arrived since, so the webhook was registered.
  if (lastDeliveryAt !== null && lastDeliveryAt > entry.since) {
    return { do: 'adopt', reason: 'found', remoteId: entry.remoteId, expiresAt: null };
  }
  return nothing;
}

function afterLeaving(situation: Situation): RegistrationStep {
  const { desired, entry, remote, abilities } = situation;
  const isSame = !isChanged(entry, desired) && !isElsewhere(entry, desired);
  if (remote === null && !abilities.removes && isSame) {
    return { do: 'adopt', reason: 'found', remoteId: entry.remoteId, expiresAt: entry.expiresAt };
  }
  return fromNothing(situation, 'new');
}

function whileActive({ desired, entry, remote, abilities, now }: Situation): RegistrationStep {
  if (isElsewhere(entry, desired)) return { do: 'create', reason: 'account_changed', replaces: null };
  const { remoteId } = entry;
  const mine = remote?.find((webhook) => webhook.remoteId === remoteId) ?? null;
  const isExpired = entry.expiresAt !== null && entry.expiresAt <= now;
  if (remote !== null && mine === null) {
    return { do: 'create', reason: isExpired ? 'expired' : 'lost', replaces: null };
  }
  const replaces = abilities.removes ? remoteId : null;
  const isDisabled = mine !== null && !mine.isEnabled;
  const isChangedThere = mine !== null && !isFor(mine, desired);
  if (isDisabled || isChangedThere || isChanged(entry, desired)) {
    const reason = isDisabled ? 'disabled' : 'changed';
    return abilities.renews && remoteId !== null
      ? { do: 'renew', reason, remoteId }
      : { do: 'create', reason, replaces };
  }
  if (remote === null && isExpired) return { do: 'create', reason: 'expired', replaces: null };
  // The provider's expiry time takes precedence over the stored one.
  const life = { registeredAt: entry.registeredAt, expiresAt: mine?.expiresAt ?? entry.expiresAt };
  if (!isRegistrationDue(life, now) || remoteId === null) return nothing;
  return abilities.renews ? { do: 'renew', reason: 'ageing', remoteId } : { do: 'create', reason: 'ageing', replaces };
}

function isChanged(entry: WebhookRegistration, desired: DesiredWebhook): boolean {
  const { url, secretFingerprint, events } = entry;
  return url !== desired.url || secretFingerprint !== desired.secretFingerprint || !sameEvents(events, desired.events);
}

/** Whether the connection now belongs to another account; an unknown account counts as the same. */
function isElsewhere({ account }: WebhookRegistration, desired: DesiredWebhook): boolean {
  return account !== null && desired.account !== null && account !== desired.account;
}
