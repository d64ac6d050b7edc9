import { hash } from 'node:crypto';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import type { NewNote } from '#domain/notes/new-note.ts';
import type { Party } from '#domain/parties/party.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A line to append to a section of a note. `text` is one line of Markdown; `mark` is the block id written at its end
 * (`^evt-…`), by which an existing line is recognized.
 */
export type HistoryEntry = Readonly<{ heading: string; text: string; mark: string }>;

/** A change to a record's note. Idempotent. */
export type NoteStep = Readonly<{
  do: 'note';
  record: RecordRef;
  /** The frontmatter key that holds the record's id, by which its note is looked up. */
  idKey: string;
  /**
   * The keys that the service owns, including the id; not overwritten when a later event has set them. All other keys
   * belong to the users.
   */
  frontmatter: Frontmatter;
  history: readonly HistoryEntry[];
  /** When it happened, Unix ms. */
  occurredAt: number;
  /** The note to create when the record has none; null to do nothing in that case. */
  create: NewNote | null;
}>;

/** Pushes one record of the sales CRM to the suite CRM; one-way. */
export type PushStep = Readonly<{
  do: 'push';
  record: RecordRef;
  party: Party;
  /** When it happened, Unix ms: an older state never overwrites a newer one. */
  occurredAt: number;
}>;

/** What a user-written reaction adds to the note at a path. Idempotent. */
export type WriteStep = Readonly<{
  do: 'write';
  record: RecordRef;
  /** The path of the reaction's note. */
  by: string;
  path: string;
  /** The values to set in the frontmatter; only those that differ are written. */
  frontmatter: Frontmatter;
  /** The text to add and its block id; null for none. A null `heading` means the end of the note. */
  entry: Readonly<{ heading: string | null; text: string; mark: string }> | null;
}>;

/** An operation call of a user-written reaction, made once per `key`. */
export type CallStep = Readonly<{
  do: 'call';
  record: RecordRef;
  /** The path of the reaction's note. */
  by: string;
  /** The digest of the reaction, which an administrator must have allowed. */
  digest: string;
  service: ServiceKey;
  name: string;
  input: Readonly<Record<string, unknown>>;
  /** The idempotency key. */
  key: string;
  /** The number of chained reaction calls up to and including this one. */
  depth: number;
  /** The position of the delivery in the inbox. */
  seq: number;
}>;

/** The name under which a reaction waits that may not read its events yet. */
export const readingOperation = 'reading its events';

/** A log message about a user-written reaction: an error, or what a dry run would do. */
export type TellStep = Readonly<{
  do: 'tell';
  record: RecordRef;
  /** The path of the reaction's note. */
  by: string;
  text: string;
  isFault: boolean;
  /** What is recorded as waiting for an administrator, if anything. */
  waits?: Readonly<{ key: string; operation: string; seq: number; depth: number }>;
}>;

/** One action that results from an event. */
export type Step = NoteStep | PushStep | WriteStep | CallStep | TellStep;

/** The services that steps call. */
export const calledServices = ['vault', 'suite_crm'] as const satisfies readonly ServiceKey[];

/** One of the services that steps call. */
export type CalledService = (typeof calledServices)[number];

/** Returns the service that a step calls; null when it belongs to no service's lane. */
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
 * Derives the mark of a history line from what happened and when: the same event delivered again, whatever its delivery
 * id, gets the same mark. 'evt-' and 16 hexadecimal digits.
 */
export function historyMark(record: RecordRef, occurredAt: number, what: string): string {
  const identity = JSON.stringify([record.service, record.kind, record.id, occurredAt, what]);
  return `evt-${hash('sha256', identity).slice(0, 16)}`;
}

/** Formats a time for history lines: '2026-01-23 12:53 UTC'. */
function historyTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Creates a dated history line under a heading: '- 2026-01-23 12:53 UTC: created'. `what` is Markdown; `identity`
 * replaces it in the mark when its wording may differ between deliveries of the same event.
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
