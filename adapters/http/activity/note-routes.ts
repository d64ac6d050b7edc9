import { statusOfFailure } from '#adapters/http/answers/problem.ts';
import { showMessage, showPage } from '#adapters/http/answers/show-page.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';

/** The maximum length of a note on its page, in characters. */
const maxShown = 200_000;
const back = { href: '/activity', text: 'Activity' };

/** The address of a note's page; the path is a query parameter, since it contains slashes. */
export const notePage = (path: string): string => `/activity/note?path=${encodeURIComponent(path)}`;

/** Shows users the notes of their own vault as text, so that they can inspect a record of their activity (ACT-010). */
export function noteRoutes(run: RunOperationFor): readonly Route[] {
  const show = async (ctx: RouteContext): Promise<void> => {
    const { path } = ctx.query;
    const input = { path, format: 'markdown' };
    const outcome = await run(userOf(ctx), { service: 'vault', name: 'notes.read', input });
    if (!outcome.ok || typeof path !== 'string') {
      const [status, text] = outcome.ok
        ? [400, 'Give exactly one path.']
        : [statusOfFailure[outcome.reason], outcome.message];
      return showMessage(ctx, status, { title: 'This note cannot be shown', text: shownText(text, 500), link: back });
    }
    const text = typeof outcome.data === 'string' ? outcome.data : '';
    const shown = text.length > maxShown ? text.slice(0, maxShown) : text;
    const title = shownText(path.slice(path.lastIndexOf('/') + 1), 120) || 'Untitled note';
    const lead = path.includes('/') ? shownText(path, 500) : '';
    showPage(ctx, 'note', { title, lead, text: shown, isCut: text.length > maxShown });
  };
  return [{ method: 'GET', path: '/activity/note', who: 'person', body: 'none', run: show }];
}
