import { z } from 'zod';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { vaultExtra } from '#adapters/services/vault/extra.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import type { Period } from '#domain/notes/periodic-notes.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

const note = z.object({ path: z.string() });

/** The path in an answer that is a note as JSON; null for other answers. */
export function pathIn(outcome: Outcome): string | null {
  const parsed = outcome.ok ? note.safeParse(outcome.data) : null;
  return parsed?.success === true ? parsed.data.path : null;
}

/** Asks the notes app for the path of a day's periodic note; null when there is none, or it cannot tell. */
export async function reportedPath(
  { send }: RecipeContext,
  day: Readonly<{ period: Period; year: number; month: number; day: number }>,
): Promise<string | null> {
  return pathIn(await send(rows['periodic_dated.read'], { ...day, format: 'note' }));
}

/**
 * The folder of the notes app's current periodic note, with a trailing slash, if that note has the name `usual`; else
 * empty, the root of the vault.
 */
export async function folderOfCurrent({ send }: RecipeContext, period: Period, usual: string): Promise<string> {
  const path = pathIn(await send(rows['periodic.read'], { period, format: 'note' }));
  return path?.endsWith(`/${usual}`) === true ? path.slice(0, -usual.length) : '';
}

/** The path pattern in the connection's `extra.periodic` for a period; null when there is none. */
export function setPattern(period: Period, extra: Readonly<Record<string, unknown>>): string | null {
  const set = vaultExtra.safeParse(extra);
  return (set.success ? set.data.periodic?.[period] : undefined) ?? null;
}
