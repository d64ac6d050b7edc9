import { z } from 'zod';
import type { RecipeContext } from '#adapters/services/operation-table.ts';
import type { Period } from '#adapters/services/vault/recipes/periodic-paths.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

const note = z.object({ path: z.string() });

/** The path in an answer that is a note as JSON; null when it is none. */
export function pathIn(outcome: Outcome): string | null {
  const parsed = outcome.ok ? note.safeParse(outcome.data) : null;
  return parsed?.success === true ? parsed.data.path : null;
}

/** Where the notes app itself keeps the periodic note of a day; null when it has none, or cannot say. */
export async function reportedPath(
  { send }: RecipeContext,
  day: Readonly<{ period: Period; year: number; month: number; day: number }>,
): Promise<string | null> {
  return pathIn(await send(rows['periodic_dated.read'], { ...day, format: 'note' }));
}

/**
 * The folder, with a slash at its end, in which the notes app keeps the current note of the period, when that is named `usual`; else
 * empty, the top of the vault.
 */
export async function folderOfCurrent({ send }: RecipeContext, period: Period, usual: string): Promise<string> {
  const path = pathIn(await send(rows['periodic.read'], { period, format: 'note' }));
  return path?.endsWith(`/${usual}`) === true ? path.slice(0, -usual.length) : '';
}
