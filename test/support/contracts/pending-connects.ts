import { MemoryPendingConnects } from '#adapters/memory/memory-pending-connects.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';

/** The stores of pending connects that this project has. */
export const pendingConnectStores = [
  memorySubject<PendingConnects>('memory', ({ max }) => new MemoryPendingConnects(max)),
];
