import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';

/** All reactions, including invalid ones, and those that are not off by event: 'tracker.issue.create'. */
export type ReactionIndex = Readonly<{
  all: readonly ReadReaction[];
  byEvent: ReadonlyMap<string, readonly ReactionNote[]>;
}>;

/** Indexes reactions by event. */
export function reactionIndex(all: readonly ReadReaction[]): ReactionIndex {
  const byEvent = new Map<string, Set<ReactionNote>>();
  for (const { reaction } of all) {
    if (reaction === null || reaction.mode === 'off') continue;
    for (const trigger of reaction.triggers) {
      if (trigger.kind === 'schedule') continue;
      const key = `${trigger.service}.${trigger.name}`;
      byEvent.set(key, (byEvent.get(key) ?? new Set()).add(reaction));
    }
  }
  return { all, byEvent: new Map([...byEvent].map(([key, reactions]) => [key, [...reactions]])) };
}
