import type { OperationTable } from '#adapters/services/operation-table.ts';
import { rows } from '#adapters/services/tracker/rows.ts';

/** All operations of the tracker. */
export const operations = { ...rows } as const satisfies OperationTable;
