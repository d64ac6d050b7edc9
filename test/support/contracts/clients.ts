import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';

/** The stores of clients that this project has. */
export const clientStores = [memorySubject('memory', ({ max }) => new MemoryClients(max))];
