import { eventually, Mismatch, shown, status } from '#test/kit/checks.ts';
import { dealUpdated, deliver, delivery, type Sender } from '#test/kit/deliveries.ts';
import { frontmatterOf } from '#test/kit/emulators/vault.ts';
import type { Kit } from '#test/kit/kit.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A note of the emulated vault, and its frontmatter. */
export type Note = Readonly<{ path: string; text: string; keys: Readonly<Record<string, unknown>> }>;

/** Sends a delivery that must be accepted. */
export async function sent(kit: Kit, service: Sender, payload: Fields): Promise<void> {
  status(await deliver(kit, delivery(kit, service, payload)), 200);
}

/** The notes whose text contains something. */
export function notesWith(kit: Kit, part: string): readonly Note[] {
  return [...kit.emulators.vault.notes]
    .filter(([, text]) => text.includes(part))
    .map(([path, text]) => ({ path, text, keys: frontmatterOf(text) }));
}

/** Waits until the note about something is as expected, and returns it. */
export async function note(kit: Kit, about: string, isDone: (note: Note) => boolean): Promise<Note> {
  try {
    return await eventually('the note', () => notesWith(kit, about).find(isDone) ?? null);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new Mismatch(
      `a note about ${about} as the event says`,
      shown(notesWith(kit, about).map(({ path, text }) => [path, text])),
    );
  }
}

/** Whether the frontmatter of a note has a value, whatever its type. */
export const has =
  (name: string, value: unknown) =>
  (found: Note): boolean =>
    String(found.keys[name]) === String(value);

let records = Math.floor(Date.now() / 1000) % 100_000_000;

/** A number that no record of this run has used. */
export function newNumber(): number {
  records += 1;
  return records;
}

/**
 * Sends a later update of the same deal, whose value becomes 2, and waits for all its effects: those of one record come in the order of its
 * events, so that all before have had theirs. `more` are further fields of the deal.
 */
export async function settled(
  kit: Kit,
  id: number,
  { title = `Settled ${id}`, ...more }: Readonly<{ title?: string; status?: string }> = {},
): Promise<Note> {
  await sent(kit, 'sales_crm', dealUpdated({ id, title, ...more, value: 2 }, { value: 1 }, Date.now() + 5));
  const isDone = (found: Note): boolean => has('value', 2)(found) && found.text.includes('value 1 → 2');
  return note(kit, title, isDone);
}

/** The number of events in a note. */
export const marksIn = (text: string): number => text.match(/\^evt-/g)?.length ?? 0;
