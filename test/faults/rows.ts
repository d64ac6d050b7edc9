import type { FaultRow } from '#test/faults/row.ts';
import { cluster } from '#test/faults/rows/cluster.ts';
import { databases } from '#test/faults/rows/databases.ts';
import { edits } from '#test/faults/rows/edits.ts';
import { frozen } from '#test/faults/rows/frozen.ts';
import { keys } from '#test/faults/rows/keys.ts';
import { kills } from '#test/faults/rows/kills.ts';
import { mcpServers } from '#test/faults/rows/mcp-servers.ts';
import { mixed } from '#test/faults/rows/mixed.ts';
import { notes } from '#test/faults/rows/notes.ts';
import { notifications } from '#test/faults/rows/notifications.ts';
import { providers } from '#test/faults/rows/providers.ts';
import { reactions } from '#test/faults/rows/reactions.ts';
import { shutdown } from '#test/faults/rows/shutdown.ts';
import { start } from '#test/faults/rows/start.ts';
import { starved } from '#test/faults/rows/starved.ts';
import { starvedRows } from '#test/faults/rows/starved-rows.ts';
import { storage } from '#test/faults/rows/storage.ts';
import { undo } from '#test/faults/rows/undo.ts';

/** All faults, in the order in which they are brought. */
export const allRows: readonly FaultRow[] = [
  ...start,
  ...shutdown,
  ...kills,
  ...providers,
  ...databases,
  ...storage,
  ...edits,
  ...notes,
  ...mixed,
  ...keys,
  ...cluster,
  ...frozen,
  ...starved,
  ...starvedRows,
  ...reactions,
  ...undo,
  ...notifications,
  ...mcpServers,
];
