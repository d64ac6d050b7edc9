import { hash } from 'node:crypto';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import type { NewNote } from '#domain/notes/new-note.ts';
import type { Party } from '#domain/parties/party.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A line for a section of a note that is only appended to. `text` is one line of Markdown; `mark` is a block id at its
 * end, `^evt-…`, by which a line that is already there is recognized.
 */
export type HistoryEntry = Readonly<{ heading: string; text: string; mark: string }>;

/** A change to the note of one record. Applying it twice leaves the same note. */
export type NoteStep = Readonly<{
  do: 'note';
  record: RecordRef;
  /** The frontmatter key that holds the record's id, by which its note is found. */
  idKey: string;
  /**
   * The keys that the service owns, the id among them; set unless a later event has set them. All other keys belong to
   * the users.
   */
  frontmatter: Frontmatter;
  history: readonly HistoryEntry[];
  /** When it happened, Unix ms. */
  occurredAt: number;
  /** The note to create when the record has none; null to do nothing then. */
  create: NewNote | null;
}>;

/** A push of one record of the sales CRM into the suite CRM: one way, never back. */
export type PushStep = Readonly<{
  do: 'push';
  record: RecordRef;
  party: Party;
  /** When it happened, Unix ms: an older state never overwrites a newer one. */
  occurredAt: number;
}>;

/** What a reaction that people wrote adds to the note at a path. Applying it twice leaves the same note. */
export type WriteStep = Readonly<{
  do: 'write';
  record: RecordRef;
  /** The path of the reaction. */
  by: string;
  path: string;
  /** The values that the note gets; set only where they differ. */
  frontmatter: Frontmatter;
  /** The text with its block id; `heading` null is the note's end. Null for none. */
  entry: Readonly<{ heading: string | null; text: string; mark: string }> | null;
}>;

/** A call of an operation by a reaction that people wrote, made once by its key. */
export type CallStep = Readonly<{
  do: 'call';
  record: RecordRef;
  /** The path of the reaction. */
  by: string;
  /** Identifies the reaction's text, which an administrator must have allowed. */
  digest: string;
  service: ServiceKey;
  name: string;
  input: Readonly<Record<string, unknown>>;
  /** What it is made once by. */
  key: string;
  /** How many calls of reactions led to it, this one included. */
  depth: number;
  /** The delivery, by its position in the inbox. */
  seq: number;
}>;

/** What the log says of a run of a reaction that people wrote, where nothing else is done: a fault, or what it would do. */
export type TellStep = Readonly<{ do: 'tell'; record: RecordRef; by: string; text: string; isFault: boolean }>;

/** One action that an event leads to. */
export type Step = NoteStep | PushStep | WriteStep | CallStep | TellStep;

/** The services that steps call. */
export const calledServices = ['vault', 'suite_crm'] as const satisfies readonly ServiceKey[];

/** One of the services that steps call. */
export type CalledService = (typeof calledServices)[number];

/** Returns the service that a step calls; null for what holds no lane of its own. */
export function calledBy(step: Step): CalledService | null {
  switch (step.do) {
    case 'note':
    case 'write':
      return 'vault';
    case 'push':
      return 'suite_crm';
    case 'call':
    case 'tell':
      return null;
  }
}

/**
 * Derives the mark of a history line from what happened and when: the same event delivered again, under whatever
 * delivery id, gets the same mark. 'evt-' and 16 hexadecimal digits.
 */
export function historyMark(record: RecordRef, occurredAt: number, what: string): string {
  const identity = JSON.stringify([record.service, record.kind, record.id, occurredAt, what]);
  return `evt-${hash('sha256', identity).slice(0, 16)}`;
}

/** Formats a time for history lines: '2026-01-23 12:53 UTC'. */
export function historyTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Creates a dated history line under a heading: '- 2026-01-23 12:53 UTC: created'. `what` is Markdown already;
 * `identity` replaces it in the mark where its wording may differ when the same event comes again.
 */
export function datedEntry(
  heading: string,
  { record, occurredAt }: Readonly<{ record: RecordRef; occurredAt: number }>,
  what: string,
  identity: string = what,
): HistoryEntry {
  const text = `- ${historyTime(occurredAt)}: ${what}`;
  return { heading, text, mark: historyMark(record, occurredAt, identity) };
}
