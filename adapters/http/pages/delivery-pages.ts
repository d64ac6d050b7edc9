import { shownText } from '#adapters/http/answers/templates.ts';
import type { StaleDelivery } from '#application/ports/receipt-log.ts';
import { type InboxEntry, type InboxState, inboxStates } from '#application/ports/webhook-inbox.ts';
import type { DryRun, SecretUsage, ShownEntry } from '#application/webhooks/deliveries.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The data of the list of deliveries. `state` is the filter, null for all; `next` where the list continues. */
export type DeliveriesPage = Readonly<{
  entries: readonly InboxEntry[];
  counts: Readonly<Record<InboxState, number>>;
  stale: readonly StaleDelivery[];
  secrets: readonly (SecretUsage & Readonly<{ isConfigured: boolean }>)[];
  state: InboxState | null;
  next: number | null;
  now: number;
  names: ServiceNames;
}>;

/** The data of one delivery's page; `plan` is there after a dry run; `hidden` are the fields of its forms. */
export type DeliveryPage = ShownEntry &
  Readonly<{ plan: DryRun | null; hidden: readonly (readonly [string, string])[]; now: number; names: ServiceNames }>;

const stateTexts: Readonly<Record<InboxState, string>> = {
  pending: 'waiting',
  leased: 'being worked on',
  done: 'done',
  ignored: 'no reaction',
  skipped: 'skipped',
  dead: 'dead',
};

/** The values of the page /deliveries. */
export function deliveriesPage({ entries, counts, stale, secrets, state, next, now, names }: DeliveriesPage) {
  const states = inboxStates.map((one) => ({
    state: one,
    text: stateTexts[one],
    count: counts[one],
    isCurrent: one === state,
  }));
  return {
    entries: entries.map((entry) => shownEntry(entry, names, now)),
    states,
    isAll: state === null,
    more: next === null ? null : `/deliveries?before=${next}${state === null ? '' : `&state=${state}`}`,
    stale: stale.map((one) => ({
      service: names.of(one.service),
      deliveryId: shownText(one.deliveryId, 24),
      received: ago(one.receivedAt, now),
      age:
        one.ageMs === null
          ? 'does not tell its time'
          : `${duration(Math.abs(one.ageMs))} ${one.ageMs < 0 ? 'ahead' : 'old'}`,
      times: one.times,
    })),
    secrets: secrets.map(({ service, secretId, usedAt, isConfigured }) => ({
      service: names.of(service),
      secretId,
      used: usedAt === null ? 'never used' : `last used ${ago(usedAt, now)}`,
      note: isConfigured ? '' : 'no longer configured',
    })),
  };
}

/** The values of the page of one delivery. */
export function deliveryPage({ entry, body, plan, hidden, now, names }: DeliveryPage) {
  const { state, attempts } = entry;
  const canReplay = body !== null && ['done', 'ignored', 'skipped', 'dead'].includes(state);
  const facts = [
    ['State', stateTexts[state]],
    ['What came of it', entry.outcome],
    ['Error', entry.error],
    ['Tries', String(attempts)],
    ['Failing since', entry.failingSince === null ? null : at(entry.failingSince)],
    ['Next try', state === 'pending' && entry.availableAt > now ? at(entry.availableAt) : null],
    ['Received', at(entry.receivedAt)],
    ['Over since', entry.finishedAt === null ? null : at(entry.finishedAt)],
    ['Delivery id', entry.deliveryId],
    ['In line with', entry.orderKey],
  ].filter(([, value]) => value !== null);
  const isOpen = state === 'pending' || state === 'dead';
  return {
    ...shownEntry(entry, names, now),
    facts,
    body,
    plan,
    hidden,
    canReplay,
    canSkip: isOpen,
    canTry: body !== null,
  };
}

function shownEntry(entry: InboxEntry, names: ServiceNames, now: number) {
  const { seq, service, event, state, attempts, outcome, error, receivedAt } = entry;
  const tries = attempts > 1 ? ` · ${attempts} tries` : '';
  return {
    seq,
    title: `${names.of(service)} · ${shownText(event, 60)}`,
    state,
    stateText: stateTexts[state] + tries,
    note: shownText(outcome ?? error ?? '', 200),
    received: ago(receivedAt, now),
  };
}

function at(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function ago(time: number, now: number): string {
  return `${duration(Math.max(0, now - time))} ago`;
}

/** '45 s', '12 min', '5 h', '3 days'. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
