import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { recipes } from '#adapters/services/vault/recipes.ts';
import { rows } from '#adapters/services/vault/rows.ts';

/** All operations of the vault: its routes (VAULT-002), and the tools that take several of them. */
export const operations = { ...rows, ...recipes } as const satisfies OperationTable;
