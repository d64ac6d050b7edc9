import { z } from 'zod';
import { partyRecord, partySearch } from '#adapters/services/suite-crm/ports/party-fields.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { PartyDirectory } from '#application/ports/party-directory.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { Party } from '#domain/parties/party.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const found = z.array(z.looseObject({ id: z.string() }));
const withId = z.looseObject({ id: z.string() });
const written = z.union([withId, z.looseObject({ details: withId }).transform(({ details }) => details)]);
const writtenOne = z.union([written, z.tuple([written]).transform(([only]) => only)]);

/** The persons and organizations of one user's suite CRM, through its operations. */
export class GatewayPartyDirectory implements PartyDirectory {
  readonly #caller: OperationCaller;
  readonly #userId: number;

  /** `userId`: whose connection is used, since deliveries carry no user of this server (REACT-009). */
  constructor(caller: OperationCaller, userId: number) {
    this.#caller = caller;
    this.#userId = userId;
  }

  async find(party: Party): Promise<Result<readonly string[], Failure>> {
    const outcome = await this.#call('records.search', { ...partySearch(party), fields: ['id'], per_page: 10 });
    if (!outcome.ok) return outcome.reason === 'not_found' ? ok([]) : err(outcome);
    const records = found.safeParse(outcome.data);
    return records.success ? ok(records.data.map(({ id }) => id)) : err(unreadable);
  }

  async update(id: string, party: Party, employerId: string | null | undefined): Promise<Result<boolean, Failure>> {
    const { module, fields } = partyRecord(party, employerId);
    const outcome = await this.#call('records.update', { module, id, data: fields });
    if (outcome.ok) return ok(true);
    return outcome.reason === 'not_found' || outcome.reason === 'gone' ? ok(false) : err(outcome);
  }

  async upsert(party: Party, employerId: string | null | undefined): Promise<Result<string, Failure>> {
    const { module, fields, duplicateFields } = partyRecord(party, employerId);
    // Without a field to detect duplicates by, an upsert could change an unrelated record: create a new one.
    const outcome =
      duplicateFields.length === 0
        ? await this.#call('records.create', { module, data: [fields] })
        : await this.#call('records.upsert', { module, data: [fields], duplicate_check_fields: duplicateFields });
    if (!outcome.ok) return err(outcome);
    const record = writtenOne.safeParse(outcome.data);
    return record.success ? ok(record.data.id) : err(unreadable);
  }

  #call(name: string, input: Readonly<Record<string, unknown>>): Promise<Outcome> {
    return this.#caller.call({ userId: this.#userId, service: 'suite_crm', name, input });
  }
}

const unreadable = failed('unavailable', 'The suite CRM answered with something that cannot be read.');
