import { fillReaction } from '#adapters/reactions/fill-reaction.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';

/** A reaction to fill in a thread; null only starts the thread. */
export type ReactionJob = Readonly<{ reaction: ReactionNote; data: EventData }> | null;

/** Fills a reaction; the entry point of the worker threads. */
export default function run(job: ReactionJob): unknown {
  return job === null ? null : fillReaction(job.reaction, job.data);
}
