import { setPageHeaders } from '#adapters/http/middleware/security-headers.ts';
import type { RouteContext } from '#adapters/http/route.ts';

/** Answers with a page. `formTargets` are sources that its form may lead to beyond our own. */
export function sendPage(ctx: RouteContext, status: number, html: string, formTargets: readonly string[] = []): void {
  setPageHeaders(ctx, formTargets);
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
