import { hash } from 'node:crypto';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import type { NewNote } from '#domain/notes/new-note.ts';
import type { Party } from '#domain/parties/party.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A line for a section of a note that only grows. `text` is one line of Markdown; `mark` is a block id that stands at its
 * end as `^evt-…` and tells that the line is there already.
 */
export type HistoryEntry = Readonly<{ heading: string; text: string; mark: string }>;

/** What a reaction wants of the note of one record. It is carried out so that doing it twice leaves the same note. */
export type NoteStep = Readonly<{
  do: 'note';
  record: RecordRef;
  /** The frontmatter key that holds the record's id; by it a note is known and found again. */
  idKey: string;
  /** Keys that the service owns, the id among them; set unless a later event has set them. All other keys are people's. */
  frontmatter: Frontmatter;
  history: readonly HistoryEntry[];
  /** When it happened, Unix ms. */
  occurredAt: number;
  /** The note to make when the record has none; null: then nothing is done. */
  create: NewNote | null;
}>;

/** What a reaction wants the suite CRM to know of one record of the sales CRM: one way, never back. */
export type PushStep = Readonly<{
  do: 'push';
  record: RecordRef;
  party: Party;
  /** When it happened, Unix ms: an older state never overwrites a newer one. */
  occurredAt: number;
}>;

/** One thing to do because something happened. */
export type Step = NoteStep | PushStep;

/** The services that steps are applied at. */
export const calledServices = ['vault', 'suite_crm'] as const satisfies readonly ServiceKey[];

/** One of them. */
export type CalledService = (typeof calledServices)[number];

/** The service that a step is applied at. */
export function calledBy(step: Step): CalledService {
  switch (step.do) {
    case 'note':
      return 'vault';
    case 'push':
      return 'suite_crm';
  }
}

/**
 * The mark of a history line, from what happened and when: the same event delivered again, under whatever delivery id,
 * gets the same mark. 'evt-' and 16 hexadecimal digits.
 */
export function historyMark(record: RecordRef, occurredAt: number, what: string): string {
  const identity = JSON.stringify([record.service, record.kind, record.id, occurredAt, what]);
  return `evt-${hash('sha256', identity).slice(0, 16)}`;
}

/** A time as history lines show it: '2026-01-23 12:53 UTC'. */
export function historyTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * A dated line of history, under a heading: '- 2026-01-23 12:53 UTC: created'. `what` is Markdown already; `identity` says
 * what happened where `what` may be worded in another way when the same event comes again.
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
