import { type PagePolicy, sendPage } from '#adapters/http/answers/page-headers.ts';
import { type Frame, frameFor } from '#adapters/http/answers/places.ts';
import { renderTemplate } from '#adapters/http/answers/templates.ts';
import { unreadableNotice } from '#adapters/http/answers/unreadable-rows.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { isLimited } from '#domain/users/rights.ts';

/** How a page is served: its status, 200 by default, and its additions to the content security policy. */
type PageShowing = PagePolicy & Readonly<{ status?: number }>;

/**
 * Answers with a page, framed for a signed-in user with navigation and our script. Its template begins with
 * `layout('@layout', { title })`. Without a user the page has neither navigation nor script.
 */
export function showPage(
  ctx: Visit,
  template: string,
  values: Readonly<Record<string, unknown>>,
  { status = 200, ...policy }: PageShowing = {},
): void {
  const frame = frameOf(ctx);
  const hasScript = policy.hasScript ?? frame !== null;
  const html = renderTemplate(template, { ...values, frame, hasScript, unreadable: unreadableNotice(ctx, template) });
  sendPage(ctx, status, html, { ...policy, hasScript, isAlone: frame !== null });
}

/** A message page: a title, a sentence, and where to go from here. */
type Message = Readonly<{ title: string; text: string; link: Readonly<{ href: string; text: string }> | null }>;

/** Answers with a message page. */
export function showMessage(ctx: Visit, status: number, message: Message): void {
  showPage(ctx, 'message', message, { status });
}

/** The frame for a request's page; null when nobody is signed in, or the caller is an app. */
function frameOf({ state: { caller, pagePaths, waiting = 0, attention = 0 }, path }: Visit): Frame | null {
  if (caller === undefined || pagePaths === undefined || isLimited(caller.user)) return null;
  return frameFor(caller.user, path, { paths: pagePaths, waiting, attention });
}
