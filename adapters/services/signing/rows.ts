import { documentRows } from '#adapters/services/signing/operations/documents.ts';
import { libraryRows } from '#adapters/services/signing/operations/library.ts';
import { partRows } from '#adapters/services/signing/operations/parts.ts';

/** Every operation of the signing service's interface (SIGN-002, SIGN-006) as one request. */
export const rows = { ...documentRows, ...partRows, ...libraryRows } as const;
