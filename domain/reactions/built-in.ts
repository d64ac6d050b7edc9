import type { ServiceEvent } from '#domain/events/service-event.ts';
import { dealUpdated } from '#domain/reactions/deal-updated.ts';
import { documentReady } from '#domain/reactions/document-ready.ts';
import { documentStateChanged } from '#domain/reactions/document-state-changed.ts';
import { issueChanged } from '#domain/reactions/issue-changed.ts';
import { issueRemoved } from '#domain/reactions/issue-removed.ts';
import { organizationUpdated, personUpdated } from '#domain/reactions/party-updated.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';

/** A reaction that comes with the server, as people see it. `name` is what it is switched by; `parts` carry it out. */
export type BuiltInReaction = Readonly<{ name: string; title: string; does: string; parts: readonly Reaction[] }>;

/** The reactions that come with the server, each with an example of itself as a note, `docs/reactions/<name>.md`. */
export const builtInReactions: readonly BuiltInReaction[] = [
  {
    name: 'deal-updated',
    title: 'Deal changed',
    does: 'status and value into the deal’s note, and a line under History',
    parts: [dealUpdated],
  },
  {
    name: 'party-updated',
    title: 'Person or organization changed',
    does: 'the change into the suite CRM',
    parts: [personUpdated, organizationUpdated],
  },
  {
    name: 'document-state-changed',
    title: 'Document state changed',
    does: 'status into the contract’s note, and a line under Status History',
    parts: [documentStateChanged],
  },
  {
    name: 'document-ready',
    title: 'Signed PDF ready',
    does: 'a download link into the contract’s note',
    parts: [documentReady],
  },
  {
    name: 'issue-changed',
    title: 'Issue made, changed or removed',
    does: 'its state into the issue’s note, and a line under History',
    parts: [issueChanged, issueRemoved],
  },
];

/** The reactions that are on, and what is to be said of those that would have handled the event; null for nothing. */
export type SwitchedOn = Readonly<{ reactions: readonly Reaction[]; said: string | null }>;

/** Leaves out the built-in reactions whose names are switched off. */
export function switchedOn(
  reactions: readonly Reaction[],
  off: ReadonlySet<string>,
  { service, name }: Pick<ServiceEvent, 'service' | 'name'>,
): SwitchedOn {
  if (off.size === 0) return { reactions, said: null };
  const without = builtInReactions.filter((one) => off.has(one.name));
  const parts = new Set(without.flatMap((one) => one.parts));
  const missed = without.filter((one) =>
    one.parts.some(({ concern }) => concern?.service === service && concern.names.includes(name)),
  );
  const said = missed.length === 0 ? null : `switched off: ${missed.map((one) => one.name).join(', ')}`;
  return { reactions: reactions.filter((reaction) => !parts.has(reaction)), said };
}
