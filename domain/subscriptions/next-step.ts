import { isRenewalDue, lookEveryMs } from '#domain/subscriptions/renewal.ts';
import {
  type HookWish,
  isFor,
  type RemoteHook,
  type Subscription,
  sameEvents,
} from '#domain/subscriptions/subscription.ts';

/** What can be done with a service's hooks beside making them. */
export type HookAbilities = Readonly<{ renews: boolean; removes: boolean }>;

/** Why something is done. */
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

/** What to do about one subscription. `replaces` is a hook that is removed first; null for none. */
export type SubscriptionStep =
  | Readonly<{ do: 'nothing' }>
  | Readonly<{ do: 'create'; reason: StepReason; replaces: string | null }>
  | Readonly<{ do: 'renew'; reason: StepReason; remoteId: string }>
  | Readonly<{ do: 'adopt'; reason: StepReason; remoteId: string | null; expiresAt: number | null }>
  | Readonly<{ do: 'doubt' }>;

/** What is known when it is decided. */
export type Situation = Readonly<{
  wish: HookWish;
  entry: Subscription;
  /** The provider's own list; null where it cannot be had. */
  remote: readonly RemoteHook[] | null;
  abilities: HookAbilities;
  /** When the service last delivered anything, Unix ms; null for never. */
  lastDeliveryAt: number | null;
  now: number;
}>;

const nothing: SubscriptionStep = { do: 'nothing' };

/** Whether the subscription is worth a look now: something is to be done, or its last look is an hour ago. */
export function isLookDue(entry: Subscription, wish: HookWish, now: number): boolean {
  if (entry.retryAt !== null && now < entry.retryAt) return false;
  if (entry.state !== 'active' || entry.checkedAt === null) return true;
  const isOld = now >= entry.checkedAt + lookEveryMs || now < entry.checkedAt;
  return isOld || isRenewalDue(entry, now) || isChanged(entry, wish) || isElsewhere(entry, wish);
}

/** What to do, given what should be, what was done, and what the provider says is there. */
export function nextStep(situation: Situation): SubscriptionStep {
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

/** The hooks at the provider that deliver to this server a second time: wished for, and in no line of the ledger. */
export function strays(
  remote: readonly RemoteHook[],
  wishes: readonly HookWish[],
  entries: readonly Subscription[],
): readonly RemoteHook[] {
  const known = new Set(entries.map(({ remoteId }) => remoteId));
  return remote.filter((hook) => !known.has(hook.remoteId) && wishes.some((wish) => isFor(hook, wish)));
}

/** A hook that does the same is taken over, so that there are never two; where only its maker knows its secret, it is replaced. */
function fromNothing({ wish, entry, remote, abilities }: Situation, reason: StepReason): SubscriptionStep {
  const twin = remote?.find((hook) => isFor(hook, wish)) ?? null;
  if (twin === null) return { do: 'create', reason, replaces: abilities.removes ? entry.remoteId : null };
  if (abilities.renews) return { do: 'renew', reason: 'found', remoteId: twin.remoteId };
  if (abilities.removes) return { do: 'create', reason, replaces: twin.remoteId };
  return { do: 'adopt', reason: 'found', remoteId: twin.remoteId, expiresAt: twin.expiresAt };
}

function afterLostAnswer(situation: Situation): SubscriptionStep {
  const { wish, entry, remote, abilities } = situation;
  if (remote !== null) {
    const made = remote.find(({ remoteId }) => remoteId === entry.remoteId) ?? remote.find((hook) => isFor(hook, wish));
    if (made === undefined) return { do: 'create', reason: 'answer_lost', replaces: null };
    const { remoteId, expiresAt, isEnabled } = made;
    if (isEnabled && isFor(made, wish) && !isChanged(entry, wish)) {
      return { do: 'adopt', reason: 'answer_lost', remoteId, expiresAt };
    }
    return fromNothing(situation, 'answer_lost');
  }
  // The id was ours to choose: what may be there is removed by it before another is made.
  if (entry.remoteId !== null && abilities.removes) {
    return { do: 'create', reason: 'answer_lost', replaces: entry.remoteId };
  }
  return { do: 'doubt' };
}

function afterDoubt(situation: Situation): SubscriptionStep {
  const { entry, remote, lastDeliveryAt } = situation;
  if (remote !== null) return afterLostAnswer(situation);
  // Somebody delivers since then: it was registered.
  if (lastDeliveryAt !== null && lastDeliveryAt > entry.since) {
    return { do: 'adopt', reason: 'found', remoteId: entry.remoteId, expiresAt: null };
  }
  return nothing;
}

function afterLeaving(situation: Situation): SubscriptionStep {
  const { wish, entry, remote, abilities } = situation;
  const isSame = !isChanged(entry, wish) && !isElsewhere(entry, wish);
  if (remote === null && !abilities.removes && isSame) {
    return { do: 'adopt', reason: 'found', remoteId: entry.remoteId, expiresAt: entry.expiresAt };
  }
  return fromNothing(situation, 'new');
}

function whileActive({ wish, entry, remote, abilities, now }: Situation): SubscriptionStep {
  if (isElsewhere(entry, wish)) return { do: 'create', reason: 'account_changed', replaces: null };
  const { remoteId } = entry;
  const mine = remote?.find((hook) => hook.remoteId === remoteId) ?? null;
  const isExpired = entry.expiresAt !== null && entry.expiresAt <= now;
  if (remote !== null && mine === null) {
    return { do: 'create', reason: isExpired ? 'expired' : 'lost', replaces: null };
  }
  const replaces = abilities.removes ? remoteId : null;
  if (mine !== null && !mine.isEnabled) return { do: 'create', reason: 'disabled', replaces };
  if (isChanged(entry, wish)) {
    return abilities.renews && remoteId !== null
      ? { do: 'renew', reason: 'changed', remoteId }
      : { do: 'create', reason: 'changed', replaces };
  }
  if (remote === null && isExpired) return { do: 'create', reason: 'expired', replaces: null };
  // The provider's word on when it ends counts more than ours.
  const life = { registeredAt: entry.registeredAt, expiresAt: mine?.expiresAt ?? entry.expiresAt };
  if (!isRenewalDue(life, now) || remoteId === null) return nothing;
  return abilities.renews ? { do: 'renew', reason: 'ageing', remoteId } : { do: 'create', reason: 'ageing', replaces };
}

function isChanged(entry: Subscription, wish: HookWish): boolean {
  const { url, secretMark, events } = entry;
  return url !== wish.url || secretMark !== wish.secretMark || !sameEvents(events, wish.events);
}

/** Whether the connection has become another account's; an account that is not known is no other. */
function isElsewhere({ account }: Subscription, wish: HookWish): boolean {
  return account !== null && wish.account !== null && account !== wish.account;
}
