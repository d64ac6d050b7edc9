import { iconOf } from '#adapters/http/answers/glyphs.ts';
import {
  type ShownTime,
  shownAge,
  shownDuration,
  shownTime,
  type TimeReader,
} from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { reactionPageOf, runTexts } from '#adapters/http/reactions/run-texts.ts';
import {
  type DeliveryFilter,
  deliveriesHref,
  type ShownState,
  shownStates,
} from '#adapters/http/webhooks/delivery-query.ts';
import { eventText, outcomeLines } from '#adapters/http/webhooks/outcome-lines.ts';
import type { StaleDelivery } from '#application/ports/receipt-log.ts';
import { type InboxEntry, type InboxFinds, type InboxState, maxCounted } from '#application/ports/webhook-inbox.ts';
import type { DryRun, SecretUsage, ShownEntry } from '#application/webhooks/deliveries.ts';
import { forPeople } from '#domain/operations/input-error.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The data of the list of deliveries. `problem` says why a query found nothing; `hidden` are the form's hidden fields. */
type DeliveriesPage = InboxFinds &
  Readonly<{
    counts: Readonly<Record<InboxState, number>>;
    /** The number of those that are done with faults. */
    faulty: number;
    filter: DeliveryFilter;
    problem: string | null;
    timeZone: string | null;
    hidden: readonly (readonly [string, string])[];
    now: number;
    names: ServiceNames;
  }>;

/** The data of one delivery's page; `plan` is set after a dry run; `hidden` are the forms' hidden fields. */
type DeliveryPage = ShownEntry &
  Readonly<{
    plan: DryRun | null;
    hidden: readonly (readonly [string, string])[];
    now: number;
    names: ServiceNames;
    timeZone: string | null;
  }>;

/** The colour of each state. */
const stateKinds: Readonly<Record<ShownState, string>> = {
  pending: 'info',
  leased: 'info',
  done: 'good',
  faulty: 'warn',
  ignored: '',
  skipped: '',
  dead: 'bad',
};

const stateTexts: Readonly<Record<ShownState, string>> = {
  pending: 'Waiting',
  leased: 'Processing',
  done: 'Done',
  faulty: 'Done with faults',
  ignored: 'Ignored',
  skipped: 'Skipped',
  dead: 'Failed',
};

/** Builds the values of the page /deliveries. */
export function deliveriesPage(page: DeliveriesPage) {
  const { entries, searchedTo, faulty, filter, problem, now, names, timeZone, hidden } = page;
  const isSearch = filter.q !== undefined && filter.q !== '';
  const counts = { ...page.counts, done: page.counts.done - faulty, faulty };
  const all = Object.values(page.counts).reduce((sum, count) => sum + count, 0);
  const isMore = (one: ShownState): boolean => (one === 'faulty' ? faulty : page.counts[one]) === maxCounted;
  const states = shownStates.map((one) => ({
    state: one,
    text: stateTexts[one],
    count: countText(counts[one], isMore(one)),
    isCurrent: one === filter.state,
    href: deliveriesHref(filter, { state: one }),
  }));
  return {
    entries: entries.map((entry) => shownEntry(entry, names, { now, timeZone })),
    states,
    all: {
      href: deliveriesHref(filter, { state: undefined }),
      count: countText(all, shownStates.some(isMore)),
    },
    failed: failedForms(counts, filter.state),
    filter,
    problem: problem === null ? null : shownText(forPeople(problem), 1_000),
    isFiltered: deliveriesHref(filter, { state: undefined }) !== '/deliveries',
    services: names.keys.map((key) => ({ key, name: names.of(key) })),
    hidden,
    searchedTo: searchedTo === null || !isSearch ? null : shownTime(searchedTo.receivedAt, timeZone),
    more: searchedTo === null ? null : deliveriesHref(filter, { before: searchedTo.seq }),
  };
}

/** A number as it is shown: '1204', or '10000+' for as many or more. */
function countText(count: number, isMore: boolean): string {
  return `${Math.max(0, count)}${isMore ? '+' : ''}`;
}

/** The data of the page /deliveries/senders. */
type SendersPage = Readonly<{
  stale: readonly StaleDelivery[];
  secrets: readonly (SecretUsage & Readonly<{ isConfigured: boolean }>)[];
  timeZone: string | null;
  now: number;
  names: ServiceNames;
}>;

/** Builds the values of the page /deliveries/senders. */
export function sendersPage({ stale, secrets, now, names, timeZone }: SendersPage) {
  return {
    stale: stale.map((one) => ({
      service: names.of(one.service),
      deliveryId: shownText(one.deliveryId, 24),
      received: shownAge(one.receivedAt, { now, timeZone }),
      age:
        one.ageMs === null
          ? 'has no timestamp'
          : `${shownDuration(Math.abs(one.ageMs))} ${one.ageMs < 0 ? 'ahead' : 'old'}`,
      times: one.times,
    })),
    secrets: secrets.map(({ service, secretId, usedAt, isConfigured }) => ({
      service: names.of(service),
      secretId,
      used: usedAt === null ? null : shownAge(usedAt, { now, timeZone }),
      note: isConfigured ? '' : 'no longer configured',
    })),
  };
}

/** Builds the values of the page of one delivery. */
export function deliveryPage({ entry, body, plan, reactions, hidden, now, names, timeZone }: DeliveryPage) {
  const at = (time: number): ShownTime => shownTime(time, timeZone);
  const { state, attempts } = entry;
  const canReplay = body !== null && ['done', 'ignored', 'skipped', 'dead'].includes(state);
  const facts = [
    ['State', stateTexts[stateOf(entry)]],
    ['Event', entry.event],
    ['Error', entry.error],
    ['Attempts', String(attempts)],
    ['Failing since', entry.failingSince === null ? null : at(entry.failingSince)],
    ['Next attempt', state === 'pending' && entry.availableAt > now ? at(entry.availableAt) : null],
    ['Received', at(entry.receivedAt)],
    ['Finished', entry.finishedAt === null ? null : at(entry.finishedAt)],
    ['Ordering key', entry.orderKey],
  ].flatMap(([name, value]) =>
    value === null
      ? []
      : [typeof value === 'string' ? { name, text: value, time: null } : { name, text: '', time: value }],
  );
  const isOpen = state === 'pending' || state === 'dead';
  return {
    ...shownEntry(entry, names, { now, timeZone }),
    facts,
    body,
    reactions: reactions.map(({ title, path, result, outcome }) => ({
      title: shownText(title, 120),
      href: path === null ? '/reactions' : reactionPageOf(path),
      ...runTexts[result],
      outcome: shownText(outcome, 400),
    })),
    plan,
    hidden,
    canReplay,
    canSkip: isOpen,
    canTry: body !== null,
  };
}

/** The forms that replay all failed deliveries, or those of the state that is shown. */
function failedForms({ dead, faulty }: Readonly<{ dead: number; faulty: number }>, state: ShownState | undefined) {
  const only = state === 'dead' || state === 'faulty' ? state : 'all';
  const count = { dead, faulty, all: dead + faulty }[only];
  const isShown = count > 0 && (state === undefined || only !== 'all');
  return isShown ? { only, text: `Replay all ${only === 'faulty' ? 'with faults' : 'failed'} (${count})` } : null;
}

function stateOf({ state, isFaulty }: InboxEntry): ShownState {
  return isFaulty ? 'faulty' : state;
}

function shownEntry(entry: InboxEntry, names: ServiceNames, reader: TimeReader) {
  const { seq, service, deliveryId, orderKey, event, attempts, outcome, error, receivedAt } = entry;
  const tries = attempts > 1 ? ` · ${attempts} attempts` : '';
  return {
    seq,
    title: `${names.of(service)} · ${shownText(event, 60)}`,
    state: stateOf(entry),
    stateText: stateTexts[stateOf(entry)] + tries,
    event: eventText(event),
    service: names.of(service),
    lines: outcomeLines(outcome ?? error ?? ''),
    note: shownText(outcome ?? error ?? '', 200),
    kind: stateKinds[stateOf(entry)],
    mark: iconOf(names.presenceOf(service).icon),
    deliveryId: shownText(deliveryId, 300),
    record: shownText(orderKey, 120),
    received: shownAge(receivedAt, reader),
  };
}
