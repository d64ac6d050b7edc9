import { type Answer, refuse, refuseStatus } from '#adapters/vault-folder/routes/answer.ts';
import type { CommandContext } from '#adapters/vault-folder/routes/commands.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import { fileMethods, type VaultRoute, verbs } from '#adapters/vault-folder/routes/vault-route.ts';
import type { RunOnFile } from '#adapters/vault-folder/text/run-on-file.ts';
import { findPeriod, periodicNotePath, readDay } from '#domain/notes/periodic-notes.ts';
import { localDay } from '#domain/notes/week-of-year.ts';

/**
 * The routes of periodic notes. A write to a dated note goes to that date, unlike in the releases of the real server
 * that support dates.
 */
export function periodicRoutes(context: CommandContext, run: RunOnFile): readonly VaultRoute[] {
  const onDay = (request: VaultRequest, parts: Readonly<Record<string, string>>) => {
    const period = findPeriod(parts['period'] ?? '');
    if (period === null) return refuse(40460);
    const { year, month = '', day: dayOfMonth = '' } = parts;
    const day = year === undefined ? localDay(context.clock.now()) : readDay(year, month, dayOfMonth);
    if (day === null)
      return refuseStatus(400, 'The calendar has no such day: write /{year}/{month}/{day}/ in numbers.');
    return onPeriodicNote(context, run, request, periodicNotePath(period, day, context.weeks));
  };
  const at = (pattern: string, which: string) =>
    fileMethods.map((method): VaultRoute => ({ method, pattern, summary: `${verbs[method]} ${which}`, run: onDay }));
  return [
    ...at('/periodic/{period}/', 'the current note of a period'),
    ...at('/periodic/{period}/{year}/{month}/{day}/', 'the note of the period that a day lies in'),
  ];
}

/** Handles a method on a periodic note: GET and DELETE need it to exist, the others create it. */
async function onPeriodicNote(
  { folder }: CommandContext,
  run: RunOnFile,
  request: VaultRequest,
  path: string,
): Promise<Answer> {
  const needsNote = request.method === 'GET' || request.method === 'DELETE';
  return needsNote && !(await folder.has(path)) ? refuse(40461) : run(path, request, true);
}
