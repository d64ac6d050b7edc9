import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { account } from '#adapters/services/sales-crm/operations/account.ts';
import { activities } from '#adapters/services/sales-crm/operations/activities.ts';
import { deals } from '#adapters/services/sales-crm/operations/deals.ts';
import { files } from '#adapters/services/sales-crm/operations/files.ts';
import { goals } from '#adapters/services/sales-crm/operations/goals.ts';
import { leads } from '#adapters/services/sales-crm/operations/leads.ts';
import { notes } from '#adapters/services/sales-crm/operations/notes.ts';
import { parties } from '#adapters/services/sales-crm/operations/parties.ts';
import { pipelines } from '#adapters/services/sales-crm/operations/pipelines.ts';
import { products } from '#adapters/services/sales-crm/operations/products.ts';

/** All 58 operations of the sales CRM, each one request (SALES-002 to SALES-012). */
export const rows = {
  ...deals,
  ...parties,
  ...activities,
  ...pipelines,
  ...leads,
  ...products,
  ...notes,
  ...files,
  ...goals,
  ...account,
} as const satisfies OperationTable;
