import { SqlPartyLinks } from '#adapters/persistence/sql-party-links.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import { MemoryPartyLinks } from '#test/doubles/memory-party-links.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The party links in a database. */
export const sqlPartyLinks: SqlStore<PartyLinks> = {
  tables: ['party_links'],
  make: (database) => new SqlPartyLinks(database),
};

/** The stores of party links that this project has. */
export const partyLinkStores = [
  memorySubject<PartyLinks>('memory', () => new MemoryPartyLinks()),
  sqliteSubject(sqlPartyLinks),
];
