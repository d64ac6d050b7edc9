import type { ReadReaction } from '#domain/reaction-notes/reaction-note.ts';

/** The maximum length of all reactions together, in characters. */
export const maxAllReactions = 8 * 1024 * 1024;

const reasons = {
  waiting: 'It has not been read yet.',
  setAside:
    'It exceeded its processor time or memory twice, and is set aside until it changes: it is not read and does not run.',
  unreadable: 'The vault could not read it: it is too large or takes too long.',
  tooMuch: `All reactions together may have ${maxAllReactions} characters; this one is too much.`,
} as const;

/** Returns what is shown of a note that is not read as a reaction, with the reason as its error. */
export function unreadReaction(path: string, reason: keyof typeof reasons): ReadReaction {
  const isUnread = reason === 'waiting';
  return { path, isYaml: false, reaction: null, faults: [{ line: 1, message: reasons[reason] }], isUnread };
}
