import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import { issueChanged } from '#domain/reactions/issue-changed.ts';
import { issueRemoved } from '#domain/reactions/issue-removed.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { Step } from '#domain/reactions/step.ts';

/** All reactions. A new one is its file and its row here. */
const reactions: readonly Reaction[] = [issueChanged, issueRemoved];

/** What to do about an event, in order; null when there is no reaction to such events. */
export function react(event: ServiceEvent, templates: NoteTemplates): readonly Step[] | null {
  const plans = reactions.map((reaction) => reaction(event, templates)).filter((plan) => plan !== null);
  return plans.length === 0 ? null : plans.flat();
}
