import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import { orderKeyOf, type RecordRef } from '#domain/events/record-ref.ts';

/** The links in memory. */
export class MemoryNoteLinks implements NoteLinks {
  readonly #links = new Map<string, NoteLink>();

  async find(record: RecordRef): Promise<NoteLink | null> {
    return this.#links.get(orderKeyOf(record)) ?? null;
  }

  async keep(link: NoteLink): Promise<void> {
    const earlier = this.#links.get(orderKeyOf(link.record));
    const appliedAt = Math.max(link.appliedAt, earlier?.appliedAt ?? 0);
    this.#links.set(orderKeyOf(link.record), { ...link, appliedAt });
  }
}
