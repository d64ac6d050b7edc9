import type { ServiceEvent } from '#domain/events/service-event.ts';
import { dealUpdated } from '#domain/reactions/deal-updated.ts';
import { documentReady } from '#domain/reactions/document-ready.ts';
import { documentStateChanged } from '#domain/reactions/document-state-changed.ts';
import { issueChanged } from '#domain/reactions/issue-changed.ts';
import { issueRemoved } from '#domain/reactions/issue-removed.ts';
import { organizationUpdated, personUpdated } from '#domain/reactions/party-updated.ts';
import type { Reaction, Surroundings } from '#domain/reactions/reaction.ts';
import type { CalledService, Step } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** All reactions. A new one is its file and its row here. */
export const allReactions: readonly Reaction[] = [
  dealUpdated,
  personUpdated,
  organizationUpdated,
  documentStateChanged,
  documentReady,
  issueChanged,
  issueRemoved,
];

/** The service that the first of the reactions to events of that name is applied at; null where none tells. */
export function calledFor(
  reactions: readonly Reaction[],
  { service, name }: Readonly<{ service: ServiceKey; name: string }>,
): CalledService | null {
  const first = reactions.find(({ concern }) => concern?.service === service && concern.names.includes(name));
  return first?.concern?.calls ?? null;
}

/** What to do about an event, in order; null when none of the reactions is to such events. */
export function react(
  reactions: readonly Reaction[],
  event: ServiceEvent,
  surroundings: Surroundings,
): readonly Step[] | null {
  const plans = reactions.map((reaction) => reaction(event, surroundings)).filter((plan) => plan !== null);
  return plans.length === 0 ? null : plans.flat();
}
