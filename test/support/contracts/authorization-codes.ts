import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';

/** The stores of authorization codes that this project has. */
export const authorizationCodeStores = [memorySubject('memory', ({ max }) => new MemoryAuthorizationCodes(max))];
