import { documentRows } from '#adapters/services/signing/document-rows.ts';
import { libraryRows } from '#adapters/services/signing/library-rows.ts';
import { partRows } from '#adapters/services/signing/part-rows.ts';

/** Every operation of the contract's table (Outbound: signing service) as one request. */
export const rows = { ...documentRows, ...partRows, ...libraryRows } as const;
