import type { ServiceKey } from '#domain/services/service-key.ts';

/** Whether a reaction runs, does not run, or only reports what it would do. */
export const reactionModes = ['on', 'off', 'dry'] as const;

/** One of the three modes. */
export type ReactionMode = (typeof reactionModes)[number];

/** An event that starts a reaction, by its service and its name in the neutral dialect. */
export type EventTrigger = Readonly<{ kind: 'event'; service: ServiceKey; name: string }>;

/** A schedule that starts a reaction: a cron pattern of five fields, and its time zone; null is UTC. */
export type ScheduleTrigger = Readonly<{ kind: 'schedule'; pattern: string; zone: string | null }>;

/** What starts a reaction. */
export type ReactionTrigger = EventTrigger | ScheduleTrigger;

/** An operation call; strings within `input` are templates. */
export type ReactionCall = Readonly<{ service: ServiceKey; name: string; input: Readonly<Record<string, unknown>> }>;

/**
 * A reaction that a user wrote as a note. `condition` is an expression; `note`, `under`, `once`, `body` and the strings
 * in `set` and `calls` are templates. `digest` covers everything that affects its behaviour.
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

/** The maximum number of errors that are reported for one reaction. */
export const maxFaults = 20;

/** An error in a reaction and its line in the note, counted from 1. */
export type ReactionFault = Readonly<{ line: number; message: string }>;

/**
 * The result of reading a reaction note: the reaction, or its errors. `isYaml` says whether standard YAML parsers can
 * read its frontmatter.
 */
export type ReadReaction = Readonly<{
  path: string;
  isYaml: boolean;
  reaction: ReactionNote | null;
  faults: readonly ReactionFault[];
  /** Whether its note is still to be read; `faults` says so, too. */
  isUnread?: boolean;
}>;

/** Returns the note's status in one line: 'ok', or the first error as 'line 4: …'. */
export function statusLine({ faults }: Pick<ReadReaction, 'faults'>): string {
  const [first] = faults;
  if (first === undefined) return 'ok';
  const atLeast = faults.length >= maxFaults ? 'at least ' : '';
  const more = faults.length > 1 ? ` (and ${atLeast}${faults.length - 1} more)` : '';
  return `line ${first.line}: ${first.message}${more}`;
}

/** Describes a trigger: 'sales_crm.updated.deal', or 'schedule 0 17 * * 5 (UTC)'. */
export function triggerText(trigger: ReactionTrigger): string {
  if (trigger.kind === 'event') return `${trigger.service}.${trigger.name}`;
  return `schedule ${trigger.pattern} (${trigger.zone ?? 'UTC'})`;
}
