import { issueChanges } from '#adapters/services/tracker/operations/issue-changes.ts';
import { namesFind } from '#adapters/services/tracker/operations/names-row.ts';
import { planningChanges } from '#adapters/services/tracker/operations/planning-changes.ts';
import { queries } from '#adapters/services/tracker/operations/queries.ts';

/** The rows that are one document each: fifteen queries and twenty-three mutations, and two more ways through the queries. */
export const rows = { ...queries, ...issueChanges, ...planningChanges, 'names.find': namesFind } as const;
