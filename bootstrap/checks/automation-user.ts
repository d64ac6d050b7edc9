import { z } from 'zod';
import { type Finding, good, wrong } from '#bootstrap/checks/finding.ts';
import { storedRows } from '#bootstrap/checks/stored-rows.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import type { ReadOnlyDatabase } from '#infrastructure/database/open-read-only.ts';

const userRows = z.array(z.object({ id: z.coerce.number(), email: z.string(), deactivated_at: z.unknown() }));

/**
 * Checks that the automation user is there and active; none while there are no users, or the database is of an earlier
 * version.
 */
export async function automationUserFinding(
  database: ReadOnlyDatabase,
  { AUTOMATION_USER_ID: userId }: Settings,
): Promise<readonly Finding[]> {
  const rows = await storedRows(database, 'users', ['id', 'email', 'deactivated_at']).catch(() => []);
  const users = userRows.parse(rows);
  if (users.length === 0) return [];
  const user = users.find(({ id }) => id === userId);
  const setting = `AUTOMATION_USER_ID is ${userId}`;
  const next =
    'set it to an active user who connects the services; until then, deliveries, reactions and webhooks wait';
  if (user === undefined) return [wrong(`Automation user: ${setting}, and there is no such user`, next)];
  if (user.deactivated_at != null) return [wrong(`Automation user: ${user.email} is deactivated (${setting})`, next)];
  return [good(`Automation user: ${user.email} (${setting})`)];
}
