import type { Organizations } from '#application/ports/organizations.ts';
import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { type Party, partyDigest, partyOfOrganization, withoutEmpty } from '#domain/parties/party.ts';
import type { PushStep } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The effect of a push on a record of the suite CRM; `late` when a later event had already been pushed. */
export type PushEffect = Readonly<{ remoteId: string; how: 'created' | 'updated' | 'unchanged' | 'late' }>;

/**
 * Pushes a record to the suite CRM: finds the counterpart by the stored mapping, else by e-mail address or name,
 * updates or creates it, and stores a digest, so that unchanged data is not pushed again.
 */
export class ApplyPushStep {
  readonly #directory: PartyDirectory;
  readonly #links: PartyLinks;
  readonly #organizations: Organizations;

  constructor(directory: PartyDirectory, links: PartyLinks, organizations: Organizations) {
    this.#directory = directory;
    this.#links = links;
    this.#organizations = organizations;
  }

  /** Applies a push and returns its effect; idempotent. The suite CRM's failures are returned. */
  async run({ record, party, occurredAt }: PushStep): Promise<Result<PushEffect, Failure>> {
    const link = await this.#links.find(record);
    if (link !== null && occurredAt < link.appliedAt) return ok({ remoteId: link.remoteId, how: 'late' });
    const employer = await this.#employerId(party);
    if (!employer.ok) return employer;
    const employerId = employer.value;
    const digest = partyDigest(party, employerId);
    if (link !== null && link.digest === digest) {
      await this.#links.keep({ ...link, appliedAt: occurredAt }, link);
      return ok({ remoteId: link.remoteId, how: 'unchanged' });
    }
    const pushed = await this.#push(party, employerId, link);
    if (!pushed.ok) return pushed;
    // Compare-and-set: a server that was suspended in the meantime must not overwrite the link of the one that took
    // over.
    await this.#links.keep({ record, remoteId: pushed.value.remoteId, digest, appliedAt: occurredAt }, link);
    return pushed;
  }

  async #push(
    whole: Party,
    employerId: string | null | undefined,
    link: PartyLink | null,
  ): Promise<Result<PushEffect, Failure>> {
    const candidates = await this.#candidates(whole, link);
    if (!candidates.ok) return candidates;
    // A newly matched record may hold values that the sales CRM never had, so only values pushed before are cleared.
    const party = link === null ? withoutEmpty(whole) : whole;
    const employedBy = link === null ? (employerId ?? undefined) : employerId;
    for (const remoteId of candidates.value) {
      const updated = await this.#directory.update(remoteId, party, employedBy);
      if (!updated.ok) return updated;
      if (updated.value) return ok({ remoteId, how: 'updated' });
    }
    // A linked record that no longer exists may exist under another id: search for it.
    if (link !== null) return this.#push(whole, employerId, null);
    const made = await this.#directory.upsert(party, employedBy);
    return made.ok ? ok({ remoteId: made.value, how: 'created' }) : made;
  }

  /** Returns the linked record, or the first match that is not linked to another record. */
  async #candidates(party: Party, link: PartyLink | null): Promise<Result<readonly string[], Failure>> {
    if (link !== null) return ok([link.remoteId]);
    const found = await this.#directory.find(party);
    if (!found.ok) return found;
    for (const remoteId of found.value) {
      if ((await this.#links.findByRemote(party.kind, remoteId)) === null) return ok([remoteId]);
    }
    return ok([]);
  }

  /**
   * Returns the employer's id in the suite CRM; null for none, undefined when it cannot be determined. An organization
   * that was never pushed is read from the sales CRM and pushed first, dated before any event, so that later events
   * still apply.
   */
  async #employerId(party: Party): Promise<Result<string | null | undefined, Failure>> {
    const employer = party.kind === 'person' ? party.employer : null;
    if (employer === null || employer === undefined) return ok(employer);
    const link = await this.#links.find(employer);
    if (link !== null) return ok(link.remoteId);
    const found = await this.#organizations.find(employer);
    if (!found.ok) return temporary.includes(found.failure.reason) ? found : ok(undefined);
    if (found.value === null) return ok(undefined);
    const pushed = await this.run({
      do: 'push',
      record: employer,
      party: partyOfOrganization(found.value),
      occurredAt: 0,
    });
    return pushed.ok ? ok(pushed.value.remoteId) : pushed;
  }
}

/** Temporary failures, after which the push is retried; after any other it is made without the employer. */
const temporary: readonly Failure['reason'][] = ['unavailable', 'rate_limited'];
