import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';
import { recordKeyOf } from '#test/doubles/record-key.ts';

/** The links in memory. */
export class MemoryNoteLinks implements NoteLinks {
  readonly #links = new Map<string, NoteLink>();

  async find(record: RecordRef): Promise<NoteLink | null> {
    return this.#links.get(recordKeyOf(record)) ?? null;
  }

  async keep(link: NoteLink): Promise<void> {
    const earlier = this.#links.get(recordKeyOf(link.record));
    const appliedAt = Math.max(link.appliedAt, earlier?.appliedAt ?? 0);
    this.#links.set(recordKeyOf(link.record), frozenCopy({ ...link, appliedAt }));
  }
}
