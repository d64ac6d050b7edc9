import { notePage } from '#adapters/http/activity/note-routes.ts';
import { shownText } from '#adapters/http/answers/templates.ts';

/** A line of what a delivery came to: a note in it with the address of its page, null where it names none. */
type OutcomeLine = Readonly<{ before: string; note: string; href: string | null; after: string }>;

const separator = '; ';
const extension = '.md';

/** The lines of a result, one for each step: 'updated Deals/Acme.md: status' has a link to the note. */
export function outcomeLines(outcome: string): readonly OutcomeLine[] {
  if (outcome === '') return [];
  return outcome.split(separator).map((line) => {
    const place = noteIn(line);
    if (place === null) return { before: shownText(line, 400), note: '', href: null, after: '' };
    const path = line.slice(place.from, place.until);
    return {
      before: `${shownText(line.slice(0, place.from), 200)} `,
      note: shownText(path, 200),
      href: notePage(path),
      after: shownText(line.slice(place.until), 200),
    };
  });
}

/** Where the path of a note is in a line; null without one. It follows the word for what was done with it. */
function noteIn(line: string): Readonly<{ from: number; until: number }> | null {
  const end = line.lastIndexOf(extension);
  if (end < 0) return null;
  const sentence = line.lastIndexOf(': ', end);
  const start = sentence < 0 ? 0 : sentence + 2;
  const blank = line.indexOf(' ', start);
  const isDone = blank > start && blank + 1 < end && /^[a-z]+$/.test(line.slice(start, blank));
  return isDone ? { from: blank + 1, until: end + extension.length } : null;
}

/** An event in words: 'Deal updated' for `updated.deal`, 'Document state changed' for `document_state_changed`. */
export function eventText(event: string): string {
  const [verb, noun, ...more] = event.split('.');
  const isReversed = verb !== undefined && noun !== undefined && more.length === 0 && /^[a-z]+ed$/.test(verb);
  const words = (isReversed ? `${noun} ${verb}` : event).replaceAll(/[._:]+/g, ' ').trim();
  const shown = shownText(words, 60);
  return `${shown.slice(0, 1).toUpperCase()}${shown.slice(1)}`;
}
