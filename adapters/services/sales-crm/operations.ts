import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { pipelineRecipes } from '#adapters/services/sales-crm/recipes.ts';
import { rows } from '#adapters/services/sales-crm/rows.ts';

/** All operations of the sales CRM: single requests, and the tool that takes several. */
export const operations = { ...rows, ...pipelineRecipes } as const satisfies OperationTable;
