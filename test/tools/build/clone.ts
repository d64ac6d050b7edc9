// Builds the programs of this clone for its next start, at the lowest priority. `bootstrap/clone/build-later.ts` starts it.
import { constants, setPriority } from 'node:os';

// The threads of the builder inherit it when they are made.
setPriority(constants.priority.PRIORITY_LOW);
const { buildClone } = await import('#test/tools/build/build-clone.ts');
await buildClone(process.cwd(), { waits: false });
