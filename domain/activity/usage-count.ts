import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** What is counted: the calls of apps, and the webhook deliveries that arrived. */
export const usageKinds = ['calls', 'deliveries'] as const;

/** One of what is counted. */
export type UsageKind = (typeof usageKinds)[number];

/** How much was done in one hour with one service. */
export type UsageCount = Readonly<{
  /** The user on whose behalf; null for all users together, as deliveries are. */
  userId: number | null;
  /** The start of the hour, Unix ms. */
  hour: number;
  kind: UsageKind;
  service: ServiceKey;
  count: number;
  /** How many of them failed, or were given up, in that hour. */
  failed: number;
  /** The tokens of the answers that tools gave, about. */
  tokens: number;
}>;

const hourMs = 3_600_000;

/** The start of the hour of a time, both Unix ms. */
export function hourOf(at: number): number {
  return at - (at % hourMs);
}

/** A count that others are added to. */
export type UsageSum = { -readonly [Name in keyof UsageCount]: UsageCount[Name] };

/** Adds a count to that of the same hour. */
export function addUsage(sums: Map<string, UsageSum>, one: UsageCount): void {
  const key = `${one.userId ?? ''} ${one.hour} ${one.kind} ${one.service}`;
  const known = sums.get(key);
  if (known === undefined) {
    sums.set(key, { ...one });
    return;
  }
  known.count += one.count;
  known.failed += one.failed;
  known.tokens += one.tokens;
}

/** Adds up counts of the same hour; in the order of their keys, so that two servers that store them never wait crosswise. */
export function summedUsage(counts: readonly UsageCount[]): readonly UsageCount[] {
  const sums = new Map<string, UsageSum>();
  for (const one of counts) addUsage(sums, one);
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum);
}

/** The counts of calls: each counts for its user and for all users together. */
export function usageOfCalls(entries: readonly ActivityEntry[]): readonly UsageCount[] {
  return entries.flatMap(({ at, userId, service, outcome }) => {
    const failed = outcome === 'ok' ? 0 : 1;
    const one = { hour: hourOf(at), kind: 'calls', service, count: 1, failed, tokens: 0 } as const;
    return [
      { ...one, userId },
      { ...one, userId: null },
    ];
  });
}
