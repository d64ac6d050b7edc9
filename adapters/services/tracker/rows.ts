import { issueChanges } from '#adapters/services/tracker/operations/issue-changes.ts';
import { namesFind } from '#adapters/services/tracker/operations/names-row.ts';
import { planningChanges } from '#adapters/services/tracker/operations/planning-changes.ts';
import { queries } from '#adapters/services/tracker/operations/queries.ts';

/** The rows with one document each: fifteen queries, twenty-three mutations, and two more that use the queries. */
export const rows = { ...queries, ...issueChanges, ...planningChanges, 'names.find': namesFind } as const;
