import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import { orderKeyOf, type RecordRef } from '#domain/events/record-ref.ts';

/** The mapping table in memory. */
export class MemoryPartyLinks implements PartyLinks {
  readonly #links = new Map<string, PartyLink>();

  async find(record: RecordRef): Promise<PartyLink | null> {
    return this.#links.get(orderKeyOf(record)) ?? null;
  }

  async findByRemote(kind: string, remoteId: string): Promise<RecordRef | null> {
    const links = [...this.#links.values()];
    return links.find((link) => link.record.kind === kind && link.remoteId === remoteId)?.record ?? null;
  }

  async keep(link: PartyLink): Promise<void> {
    this.#links.set(orderKeyOf(link.record), link);
  }
}
