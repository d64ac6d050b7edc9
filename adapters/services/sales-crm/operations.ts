import type { OperationTable } from '#adapters/services/operation-table.ts';
import { pipelineRecipes } from '#adapters/services/sales-crm/recipes.ts';
import { rows } from '#adapters/services/sales-crm/rows.ts';

/** All operations of the sales CRM: one request each, and the tool that is more than one. */
export const operations = { ...rows, ...pipelineRecipes } as const satisfies OperationTable;
