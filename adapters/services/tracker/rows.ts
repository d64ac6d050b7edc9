import { issueChanges } from '#adapters/services/tracker/issue-changes.ts';
import { namesFind } from '#adapters/services/tracker/names-row.ts';
import { planningChanges } from '#adapters/services/tracker/planning-changes.ts';
import { queries } from '#adapters/services/tracker/queries.ts';

/** The rows that are one document each: fifteen queries and twenty-three mutations, and two more ways through the queries. */
export const rows = { ...queries, ...issueChanges, ...planningChanges, 'names.find': namesFind } as const;
