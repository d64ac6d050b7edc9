import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Party } from '#domain/parties/party.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** What the directory knows of a party. */
export type KnownParty = Readonly<{ party: Party; employerId: string | null | undefined }>;

/** The suite CRM's persons and organizations in memory, for tests; `writes` counts its changes. */
export class MemoryPartyDirectory implements PartyDirectory {
  readonly known = new Map<string, KnownParty>();
  /** What came last for each record, as it came. */
  readonly sent = new Map<string, KnownParty>();
  writes = 0;

  async find(party: Party): Promise<Result<readonly string[], Failure>> {
    const ids = [...this.known].filter(([, known]) => isMatch(known.party, party)).map(([id]) => id);
    return ok(ids);
  }

  async update(id: string, party: Party, employerId: string | null | undefined): Promise<Result<boolean, Failure>> {
    const known = this.known.get(id);
    if (known === undefined) return ok(false);
    this.writes += 1;
    this.sent.set(id, frozenCopy({ party, employerId }));
    const sent = Object.fromEntries(Object.entries(party).filter(([, value]) => value !== undefined));
    const employed = employerId === undefined ? known.employerId : employerId;
    this.known.set(id, frozenCopy({ party: { ...known.party, ...sent }, employerId: employed }));
    return ok(true);
  }

  async upsert(party: Party, employerId: string | null | undefined): Promise<Result<string, Failure>> {
    const double = [...this.known].find(([, known]) => isDouble(known.party, party));
    if (double !== undefined) {
      await this.update(double[0], party, employerId);
      return ok(double[0]);
    }
    this.writes += 1;
    const id = `remote-${this.known.size + 1}`;
    this.known.set(id, frozenCopy({ party, employerId }));
    return ok(id);
  }
}

/** Whether the suite CRM's duplicate check takes a known party for this one. */
function isDouble(known: Party, party: Party): boolean {
  return (party.kind === 'organization' || typeof party.email === 'string') && isMatch(known, party);
}

function isMatch(known: Party, party: Party): boolean {
  if (known.kind === 'organization' || party.kind === 'organization') {
    return known.kind === 'organization' && party.kind === 'organization' && known.name === party.name;
  }
  if (typeof party.email === 'string') return known.email === party.email;
  return known.lastName === party.lastName && (known.firstName ?? null) === (party.firstName ?? null);
}
