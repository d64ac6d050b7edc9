import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { findRecipes } from '#adapters/services/tracker/recipes/find.ts';
import { issueLists } from '#adapters/services/tracker/recipes/issue-lists.ts';
import { issueRecipes } from '#adapters/services/tracker/recipes/issues.ts';
import { planningRecipes } from '#adapters/services/tracker/recipes/planning.ts';
import { planningLists } from '#adapters/services/tracker/recipes/planning-lists.ts';
import { rows } from '#adapters/services/tracker/rows.ts';

/** All operations of the tracker: single documents (TRACK-002, TRACK-003), and the tools that take several. */
export const operations = {
  ...rows,
  ...issueLists,
  ...planningLists,
  ...findRecipes,
  ...issueRecipes,
  ...planningRecipes,
} as const satisfies OperationTable;
