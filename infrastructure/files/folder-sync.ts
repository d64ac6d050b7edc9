import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { SharedRuns } from '#infrastructure/concurrency/shared-runs.ts';

const syncInThread = promisify(fsync);

/** The folders with a sync in progress, by path. */
const folders = new Map<string, SharedRuns>();

/**
 * Makes a folder's entries durable (fsync); concurrent calls for one folder share an fsync. Throws file system errors.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for fsync, and journals renames itself.
  if (process.platform === 'win32') return;
  const runs = folders.get(folder) ?? new SharedRuns(() => syncNow(folder));
  folders.set(folder, runs);
  try {
    await runs.ask();
  } finally {
    if (runs.isIdle && folders.get(folder) === runs) folders.delete(folder);
  }
}

async function syncNow(folder: string): Promise<void> {
  const file = openSync(folder, 'r');
  try {
    await syncInThread(file);
  } finally {
    closeSync(file);
  }
}
