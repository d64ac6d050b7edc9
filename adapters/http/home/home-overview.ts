import { barChart } from '#adapters/http/answers/bar-chart.ts';
import { iconOf } from '#adapters/http/answers/glyphs.ts';
import { shownDuration, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { statusTextOf } from '#adapters/http/connections/connection-status-text.ts';
import { lastDays, lastHours, type UsagePeriod } from '#adapters/http/home/usage-periods.ts';
import type { BudgetLeft } from '#application/ports/provider-budgets.ts';
import type { UsageCount, UsageKind } from '#domain/activity/usage-count.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** What the overview is made of: `usage` is the user's, `usageOfAll` that of all users, for administrators only. */
type Overview = Readonly<{
  user: User;
  connections: readonly Connection[];
  budgets: ReadonlyMap<ServiceKey, readonly BudgetLeft[]>;
  usage: readonly UsageCount[];
  usageOfAll: readonly UsageCount[] | null;
  names: ServiceNames;
  reader: TimeReader;
}>;

const numbers = new Intl.NumberFormat('en');
/** Below this share, what is left of a provider's limit is shown as a warning. */
const nearlySpent = 0.1;

/** Builds the values of the overview on the home page: connections, charts, and what failed (PAGE-025, PAGE-026). */
export function homeOverview({ user, connections, budgets, usage, usageOfAll, names, reader }: Overview) {
  const calls = chartOf(usage, { kind: 'calls', title: 'Calls of your apps', noun: 'calls' }, reader);
  const ofAll =
    usageOfAll === null
      ? []
      : [
          ...(sumOf(usageOfAll) === sumOf(usage)
            ? []
            : [chartOf(usageOfAll, { kind: 'calls', title: 'Calls of all users’ apps', noun: 'calls' }, reader)]),
          chartOf(usageOfAll, { kind: 'deliveries', title: 'Deliveries', noun: 'deliveries' }, reader),
        ];
  return {
    connections: connections.map((connection) => {
      const { service } = connection;
      const own = usage.filter((one) => one.kind === 'calls' && one.service === service);
      return {
        service,
        name: names.of(service),
        mark: iconOf(names.presenceOf(service).icon),
        status: statusTextOf(connection, null, {
          mayConnect: isPermitted(user, service),
          isAdmin: user.isAdmin,
          name: names.of(service),
        }),
        used: usedText(own),
        budgets: (budgets.get(service) ?? []).map(budgetText),
      };
    }),
    charts: [calls, ...ofAll].filter((chart) => chart !== calls || ofAll.length === 0 || calls.isUsed),
    failures: failuresIn(usage, { kind: 'calls', names, reader }),
    deliveriesFailed: usageOfAll === null ? 0 : lastHours(usageOfAll, 'deliveries', reader).failed,
  };
}

/** All calls that were counted. */
function sumOf(counts: readonly UsageCount[]): number {
  return counts.reduce((sum, { kind, count }) => sum + (kind === 'calls' ? count : 0), 0);
}

type Charted = Readonly<{ kind: UsageKind; title: string; noun: string }>;

/** A chart of the last 24 hours, and one of the last 30 days. */
function chartOf(counts: readonly UsageCount[], { kind, title, noun }: Charted, reader: TimeReader) {
  const shown = (name: string, unit: string, { count, failed, tokens, bars }: UsagePeriod) => ({
    name,
    unit,
    text: `${numbers.format(count)} ${noun}${failed === 0 ? '' : `, ${numbers.format(failed)} failed`}`,
    tokens: tokens === 0 ? null : `about ${numbers.format(tokens)} tokens of answers`,
    chart: barChart(bars),
  });
  const periods = [
    shown('Last 24 hours', 'Hour', lastHours(counts, kind, reader)),
    shown('Last 30 days', 'Day', lastDays(counts, kind, reader)),
  ];
  return { title, noun, periods, isUsed: counts.some((one) => one.kind === kind) };
}

/** How much a service was used, in words; '' for not at all. */
function usedText(counts: readonly UsageCount[]): string {
  const sum = (member: 'count' | 'tokens'): number => counts.reduce((total, one) => total + one[member], 0);
  const calls = sum('count');
  if (calls === 0) return '';
  const tokens = sum('tokens');
  return `${numbers.format(calls)} ${calls === 1 ? 'call' : 'calls'} in 30 days${tokens === 0 ? '' : `, about ${numbers.format(tokens)} tokens`}`;
}

function budgetText({ name, points, left, resetsInMs }: BudgetLeft) {
  const what = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
  return {
    text: `${what}: ${numbers.format(left)}${points === null ? '' : ` of ${numbers.format(points)}`} left, whole again in ${shownDuration(resetsInMs)}`,
    kind: points !== null && left < points * nearlySpent ? 'warn' : '',
  };
}

type Failing = Readonly<{ kind: UsageKind; names: ServiceNames; reader: TimeReader }>;

/** The services with which calls failed in the last 24 hours, the most first. */
function failuresIn(counts: readonly UsageCount[], { kind, names, reader }: Failing) {
  const all = names.keys.map((service) => {
    const { count, failed } = lastHours(
      counts.filter((one) => one.service === service),
      kind,
      reader,
    );
    const text = `${names.of(service)}: ${numbers.format(failed)} of ${numbers.format(count)} calls failed`;
    return { service, failed, text, href: `/activity?service=${service}` };
  });
  return all.filter(({ failed }) => failed > 0).toSorted((left, right) => right.failed - left.failed);
}
