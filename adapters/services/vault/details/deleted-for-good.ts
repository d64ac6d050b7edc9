import { byOperations } from '#application/operations/by-operations.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';

const rest = 'To remove a part, use vault_note_patch. Links to it stay unchanged';

/** What the operation that deletes a note says of itself, and what it says where nothing is kept of a deleted note. */
export const deleteSummary = `Deletes a note by its path; vault_note_restore brings it back. ${rest}`;
const forGoodSummary = `Deletes a note by its path, for good. ${rest}`;

/** A catalog of a server that keeps no deleted notes. */
export function deletingForGood(catalog: OperationCatalog): OperationCatalog {
  const { names, instructions } = catalog;
  const saysSo = (operation: OperationCatalog['operations'][number]) =>
    operation.summary === deleteSummary ? { ...operation, summary: forGoodSummary } : operation;
  const operations = byOperations(catalog, (all) => all.map(saysSo));
  return {
    names,
    ...(instructions === undefined ? {} : { instructions }),
    get operations() {
      return operations();
    },
  };
}

const dayMs = 24 * 60 * 60_000;
const deletedForGood = 'It is deleted for good: this server keeps no deleted notes (UNDO_DAYS=0).';

/** What a plan and an answer say of a file that is deleted where the trash keeps it for so long, in ms. */
export function deletionOf(keepDeletedMs: number) {
  return keepDeletedMs === 0
    ? { irreversible: { irreversible: deletedForGood }, warning: deletedForGood }
    : {
        irreversible: {},
        warning: `It stays in the trash for ${keepDeletedMs / dayMs} days; vault_note_restore brings it back.`,
      };
}
