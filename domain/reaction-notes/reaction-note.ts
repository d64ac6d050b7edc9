import type { ServiceKey } from '#domain/services/service-key.ts';

/** Whether a reaction runs, does not, or only tells what it would do. */
export const reactionModes = ['on', 'off', 'dry'] as const;

/** One of the three modes. */
export type ReactionMode = (typeof reactionModes)[number];

/** An event that starts a reaction, by its service and its name in the neutral dialect. */
export type EventTrigger = Readonly<{ kind: 'event'; service: ServiceKey; name: string }>;

/** Times at which a reaction starts: a cron pattern of five fields, and its time zone; null is UTC. */
export type ScheduleTrigger = Readonly<{ kind: 'schedule'; pattern: string; zone: string | null }>;

/** What starts a reaction. */
export type ReactionTrigger = EventTrigger | ScheduleTrigger;

/** A call of an operation; texts within `input` are templates. */
export type ReactionCall = Readonly<{ service: ServiceKey; name: string; input: Readonly<Record<string, unknown>> }>;

/**
 * A reaction that people wrote as a note. `condition` is an expression; `note`, `under`, `once`, `body` and the texts in
 * `set` and `calls` are templates. `digest` identifies all of it that has an effect.
 */
export type ReactionNote = Readonly<{
  path: string;
  digest: string;
  mode: ReactionMode;
  triggers: readonly ReactionTrigger[];
  condition: string | null;
  note: string | null;
  under: string | null;
  once: string | null;
  set: Readonly<Record<string, unknown>>;
  calls: readonly ReactionCall[];
  body: string;
}>;

/** An error in a reaction, and its line in the note, from 1. */
export type ReactionFault = Readonly<{ line: number; message: string }>;

/**
 * A note that is a reaction, as it was read: what it says, or its faults. `status` is what the note says of itself,
 * `isYaml` whether every reader of YAML understands its frontmatter.
 */
export type ReadReaction = Readonly<{
  path: string;
  status: string | null;
  isYaml: boolean;
  reaction: ReactionNote | null;
  faults: readonly ReactionFault[];
}>;

/** Returns the faults in one line, as they stand in the note: 'ok', or 'line 4: …'. */
export function statusLine({ faults }: Pick<ReadReaction, 'faults'>): string {
  const [first] = faults;
  if (first === undefined) return 'ok';
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `line ${first.line}: ${first.message}${more}`;
}
