import type { OperationTable } from '#adapters/services/operation-table.ts';
import { account } from '#adapters/services/sales-crm/account.ts';
import { activities } from '#adapters/services/sales-crm/activities.ts';
import { deals } from '#adapters/services/sales-crm/deals.ts';
import { files } from '#adapters/services/sales-crm/files.ts';
import { goals } from '#adapters/services/sales-crm/goals.ts';
import { leads } from '#adapters/services/sales-crm/leads.ts';
import { notes } from '#adapters/services/sales-crm/notes.ts';
import { parties } from '#adapters/services/sales-crm/parties.ts';
import { pipelines } from '#adapters/services/sales-crm/pipelines.ts';
import { products } from '#adapters/services/sales-crm/products.ts';

/** All 58 operations of the sales CRM, each one request (contract, Outbound: sales CRM). */
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
