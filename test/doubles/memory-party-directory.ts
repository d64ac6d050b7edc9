import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Party } from '#domain/parties/party.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** What the directory knows of a party. */
export type KnownParty = Readonly<{ party: Party; employerId: string | null | undefined }>;

/** The suite CRM's persons and organizations in memory, for tests; `writes` counts its changes. */
export class MemoryPartyDirectory implements PartyDirectory {
  readonly known = new Map<string, KnownParty>();
  writes = 0;

  async find(party: Party): Promise<Result<readonly string[], Failure>> {
    const ids = [...this.known].filter(([, known]) => keyOf(known.party) === keyOf(party)).map(([id]) => id);
    return ok(ids);
  }

  async update(id: string, party: Party, employerId: string | null | undefined): Promise<Result<boolean, Failure>> {
    if (!this.known.has(id)) return ok(false);
    this.writes += 1;
    this.known.set(id, { party, employerId });
    return ok(true);
  }

  async upsert(party: Party, employerId: string | null | undefined): Promise<Result<string, Failure>> {
    this.writes += 1;
    const id = `remote-${this.known.size + 1}`;
    this.known.set(id, { party, employerId });
    return ok(id);
  }
}

function keyOf(party: Party): string {
  if (party.kind === 'organization') return `organization ${party.name}`;
  return typeof party.email !== 'string' ? `person ${party.firstName} ${party.lastName}` : `person ${party.email}`;
}
