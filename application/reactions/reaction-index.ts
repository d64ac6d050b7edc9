import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';

/**
 * All reactions, including invalid ones, and by event ('tracker.issue.create') those that are not off, and those that
 * are.
 */
export type ReactionIndex = Readonly<{
  all: readonly ReadReaction[];
  byEvent: ReadonlyMap<string, readonly ReactionNote[]>;
  offByEvent: ReadonlyMap<string, readonly ReactionNote[]>;
}>;

/** Indexes reactions by event. */
export function reactionIndex(all: readonly ReadReaction[]): ReactionIndex {
  const valid = all.flatMap(({ reaction }) => (reaction === null ? [] : [reaction]));
  const [on, off] = [valid.filter(({ mode }) => mode !== 'off'), valid.filter(({ mode }) => mode === 'off')];
  return { all, byEvent: indexed(on), offByEvent: indexed(off) };
}

function indexed(notes: readonly ReactionNote[]): ReadonlyMap<string, readonly ReactionNote[]> {
  const byEvent = new Map<string, Set<ReactionNote>>();
  for (const reaction of notes) {
    for (const trigger of reaction.triggers) {
      if (trigger.kind === 'schedule') continue;
      const key = `${trigger.service}.${trigger.name}`;
      byEvent.set(key, (byEvent.get(key) ?? new Set()).add(reaction));
    }
  }
  return new Map([...byEvent].map(([key, reactions]) => [key, [...reactions]]));
}
