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

/** All built-in reactions; a new one needs its file and a line here. */
export const allReactions: readonly Reaction[] = [
  dealUpdated,
  personUpdated,
  organizationUpdated,
  documentStateChanged,
  documentReady,
  issueChanged,
  issueRemoved,
];

/** Returns the service that the first reaction to events of that name calls; null when no reaction declares one. */
export function calledFor(
  reactions: readonly Reaction[],
  { service, name }: Readonly<{ service: ServiceKey; name: string }>,
): CalledService | null {
  const first = reactions.find(({ concern }) => concern?.service === service && concern.names.includes(name));
  return first?.concern?.calls ?? null;
}

/** Whether any of the reactions may handle the event: those that do not declare their events may. */
export function mayConcern(
  reactions: readonly Reaction[],
  { service, name }: Readonly<{ service: ServiceKey; name: string }>,
): boolean {
  return reactions.some(({ concern }) => {
    return concern === undefined || (concern.service === service && concern.names.includes(name));
  });
}

/** Returns the steps for an event, in order; null when no reaction handles such events. */
export function react(
  reactions: readonly Reaction[],
  event: ServiceEvent,
  surroundings: Surroundings,
): readonly Step[] | null {
  const plans = reactions.map((reaction) => reaction(event, surroundings)).filter((plan) => plan !== null);
  return plans.length === 0 ? null : plans.flat();
}
