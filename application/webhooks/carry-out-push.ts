import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { type Party, partyDigest } from '#domain/parties/party.ts';
import type { PushStep } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** Which record of the suite CRM a push changed and how; `late` when a later event had been pushed already. */
export type PushEffect = Readonly<{ remoteId: string; how: 'created' | 'updated' | 'unchanged' | 'late' }>;

/**
 * Carries out a push into the suite CRM: finds the record by our mapping, then by e-mail address or name, changes it or
 * makes it, and remembers what it was told, so that the same is never told twice.
 */
export class CarryOutPush {
  readonly #directory: PartyDirectory;
  readonly #links: PartyLinks;

  constructor(directory: PartyDirectory, links: PartyLinks) {
    this.#directory = directory;
    this.#links = links;
  }

  /** May be run any number of times for one step; the suite CRM's failures are returned. */
  async run({ record, party, occurredAt }: PushStep): Promise<Result<PushEffect, Failure>> {
    const link = await this.#links.find(record);
    if (link !== null && occurredAt < link.appliedAt) return ok({ remoteId: link.remoteId, how: 'late' });
    const employerId = await this.#employerId(party);
    const digest = partyDigest(party, employerId);
    if (link !== null && link.digest === digest) {
      await this.#links.keep({ ...link, appliedAt: occurredAt });
      return ok({ remoteId: link.remoteId, how: 'unchanged' });
    }
    const told = await this.#tell(party, employerId, link);
    if (!told.ok) return told;
    await this.#links.keep({ record, remoteId: told.value.remoteId, digest, appliedAt: occurredAt });
    return told;
  }

  async #tell(party: Party, employerId: string | null, link: PartyLink | null): Promise<Result<PushEffect, Failure>> {
    const candidates = await this.#candidates(party, link);
    if (!candidates.ok) return candidates;
    for (const remoteId of candidates.value) {
      const updated = await this.#directory.update(remoteId, party, employerId);
      if (!updated.ok) return updated;
      if (updated.value) return ok({ remoteId, how: 'updated' });
    }
    // A record that was linked and is gone may stand there under another id: looked for only now, as it is rare.
    if (link !== null) return this.#tell(party, employerId, null);
    const made = await this.#directory.upsert(party, employerId);
    return made.ok ? ok({ remoteId: made.value, how: 'created' }) : made;
  }

  /** The linked record; else the first that is found and is not another record's. */
  async #candidates(party: Party, link: PartyLink | null): Promise<Result<readonly string[], Failure>> {
    if (link !== null) return ok([link.remoteId]);
    const found = await this.#directory.find(party);
    if (!found.ok) return found;
    for (const remoteId of found.value) {
      if ((await this.#links.findByRemote(party.kind, remoteId)) === null) return ok([remoteId]);
    }
    return ok([]);
  }

  async #employerId(party: Party): Promise<string | null> {
    if (party.kind !== 'person' || party.employer === null) return null;
    return (await this.#links.find(party.employer))?.remoteId ?? null;
  }
}
