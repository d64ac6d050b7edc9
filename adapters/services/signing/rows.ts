import { documentRows } from '#adapters/services/signing/operations/documents.ts';
import { libraryRows } from '#adapters/services/signing/operations/library.ts';
import { partRows } from '#adapters/services/signing/operations/parts.ts';

/** Every operation of the contract's table (Outbound: signing service) as one request. */
export const rows = { ...documentRows, ...partRows, ...libraryRows } as const;
