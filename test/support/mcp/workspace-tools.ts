import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { workspaceBrief } from '#adapters/mcp/tools/workspace-brief.ts';
import { workspaceBulk } from '#adapters/mcp/tools/workspace-bulk.ts';
import { workspaceReactions } from '#adapters/mcp/tools/workspace-reactions.ts';
import { workspaceSearch } from '#adapters/mcp/tools/workspace-search.ts';
import { workspaceUndo } from '#adapters/mcp/tools/workspace-undo.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';

const notRun = async (): Promise<never> => {
  throw new Error('These tools are listed only.');
};

/** What runs programs, to be listed. */
export const listedPrograms = { run: notRun, offered: notRun };

/** The tools over all services of a catalog, to be listed. */
export function workspaceTools(catalog: OperationCatalog): readonly Tool[] {
  return [
    workspaceSearch({ run: notRun }, { services: catalog.names.keys, connectUrl: '' }),
    workspaceBrief({ run: notRun }, ''),
    workspaceBulk({ run: notRun }, catalog),
    workspaceUndo({
      takeBack: { list: notRun, open: notRun, find: notRun, run: notRun, since: notRun },
      now: Date.now,
    }),
    workspaceReactions({
      catalog,
      senders: [],
      folder: 'Reactions',
      outcomes: { of: notRun, listed: notRun },
      check: { run: notRun },
      isWriter: notRun,
    }),
  ];
}
