import type { Failure } from '#domain/operations/outcome.ts';
import type { Party } from '#domain/parties/party.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * Finds and writes the persons and organizations of the suite CRM, for one-way pushes. `employerId` is the id in the
 * suite CRM of the organization that a person works for; null for none, undefined when unknown. Failures are those of
 * the suite CRM's operations, and are returned, never thrown.
 */
export interface PartyDirectory {
  /**
   * Finds the ids of records that match the party's e-mail address, or its name when it has none; the best match first.
   */
  find(party: Party): Promise<Result<readonly string[], Failure>>;
  /**
   * Updates a record; false when there is none with that id. Undefined values are unchanged, null values are cleared.
   */
  update(id: string, party: Party, employerId: string | null | undefined): Promise<Result<boolean, Failure>>;
  /** Creates a record, or updates the one that the suite CRM's duplicate check finds; returns its id. */
  upsert(party: Party, employerId: string | null | undefined): Promise<Result<string, Failure>>;
}
