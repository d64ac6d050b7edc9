import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { SqlAuthorizationCodes } from '#adapters/persistence/sql-authorization-codes.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The codes in a database. */
export const sqlAuthorizationCodes: SqlStore<AuthorizationCodes> = {
  tables: ['authorization_codes', 'code_uses'],
  make: (database, { max }) => new SqlAuthorizationCodes(database, max),
};

/** The stores of authorization codes that this project has. */
export const authorizationCodeStores = [
  memorySubject<AuthorizationCodes>('memory', ({ max }) => new MemoryAuthorizationCodes(max)),
  sqliteSubject(sqlAuthorizationCodes),
];
