import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * What needs somebody: a connection that its user has to connect again; what waits for an approval, or for a decision on
 * a call; deliveries that were given up, and those on which a reaction failed; webhooks that cannot be registered; tools
 * of an MCP server that wait until an administrator has looked at them; a
 * place of the server's data that is gone; and a provider's limit that is nearly used up.
 */
export const attentionKinds = [
  'storage',
  'connection',
  'approval',
  'reaction_approval',
  'reaction_call',
  'delivery_failed',
  'reaction_failed',
  'webhook',
  'remote_tools',
  'budget',
] as const;

/** One of those kinds. */
export type AttentionKind = (typeof attentionKinds)[number];

/**
 * One thing that needs somebody. `count` is of how many, `isMore` when there are more than were looked for; `since` is
 * Unix ms, null when that is not known; `page` is the path of the page that mends it; `detail` is a line for people.
 */
export type AttentionItem = Readonly<{
  kind: AttentionKind;
  service: ServiceKey | null;
  count: number;
  isMore: boolean;
  since: number | null;
  page: string;
  detail: string | null;
}>;

/** Whether a provider's limit is nearly used up: at most a tenth of its points is left. */
export function isNearlySpent({ points, left }: Readonly<{ points: number | null; left: number }>): boolean {
  return points !== null && points > 0 && left * 10 <= points;
}
