import type { ServiceEvent } from '#domain/events/service-event.ts';
import { dealUpdated } from '#domain/reactions/deal-updated.ts';
import { documentReady } from '#domain/reactions/document-ready.ts';
import { documentStateChanged } from '#domain/reactions/document-state-changed.ts';
import { issueChanged } from '#domain/reactions/issue-changed.ts';
import { issueRemoved } from '#domain/reactions/issue-removed.ts';
import { organizationUpdated, personUpdated } from '#domain/reactions/party-updated.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';

/** A built-in reaction as shown to users. `name` is what it is switched by; `parts` implement it. */
export type BuiltInReaction = Readonly<{ name: string; title: string; does: string; parts: readonly Reaction[] }>;

/** The built-in reactions; docs/reactions/<name>.md shows each as a reaction note. */
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

/**
 * The reactions that are on, and a message about those switched off that would have handled the event; null when there
 * are none.
 */
type SwitchedOn = Readonly<{ reactions: readonly Reaction[]; said: string | null }>;

/** Removes the built-in reactions that are switched off. */
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
