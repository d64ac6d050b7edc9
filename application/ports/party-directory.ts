import type { Failure } from '#domain/operations/outcome.ts';
import type { Party } from '#domain/parties/party.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * The persons and organizations of the suite CRM, as one-way pushes see them. `employerId` is the id there of the organization
 * that a person works for; null for none, undefined where it is not known. Failures are those of the suite CRM's operations; nothing is thrown for them.
 */
export interface PartyDirectory {
  /** Ids of those that are the party by its e-mail address, or by its name when it has none; the best first. */
  find(party: Party): Promise<Result<readonly string[], Failure>>;
  /** Changes one; false when there is none of that id. What the party does not tell stays, what it tells as empty is emptied. */
  update(id: string, party: Party, employerId: string | null | undefined): Promise<Result<boolean, Failure>>;
  /** Makes one, or changes the one that is there by the suite CRM's own check for duplicates; its id. */
  upsert(party: Party, employerId: string | null | undefined): Promise<Result<string, Failure>>;
}
