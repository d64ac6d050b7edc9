import { isDeepStrictEqual } from 'node:util';
import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';
import { recordKeyOf } from '#test/doubles/record-key.ts';

/** The mapping table in memory. */
export class MemoryPartyLinks implements PartyLinks {
  readonly #links = new Map<string, PartyLink>();

  async find(record: RecordRef): Promise<PartyLink | null> {
    return this.#links.get(recordKeyOf(record)) ?? null;
  }

  async findByRemote(kind: string, remoteId: string): Promise<RecordRef | null> {
    const links = [...this.#links.values()];
    return links.find((link) => link.record.kind === kind && link.remoteId === remoteId)?.record ?? null;
  }

  async keep(link: PartyLink, before?: PartyLink | null): Promise<boolean> {
    const key = recordKeyOf(link.record);
    if (before !== undefined && !isDeepStrictEqual(this.#links.get(key) ?? null, before)) return false;
    this.#links.set(key, frozenCopy(link));
    return true;
  }
}
