import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { signingRecipes } from '#adapters/services/signing/recipes.ts';
import { rows } from '#adapters/services/signing/rows.ts';

/** All operations of the signing service: its 40 requests (SIGN-002, SIGN-006), and the tools that take several. */
export const operations = { ...rows, ...signingRecipes() } as const satisfies OperationTable;
