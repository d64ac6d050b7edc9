import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { recipes } from '#adapters/services/suite-crm/recipes.ts';
import { rows } from '#adapters/services/suite-crm/rows.ts';

/** All operations of the suite CRM: its routes (SUITE-003, SUITE-004), and the tools that build on them. */
export const operations = { ...rows, ...recipes } as const satisfies OperationTable;
