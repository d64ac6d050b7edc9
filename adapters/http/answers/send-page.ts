import { type PagePolicy, setPageHeaders } from '#adapters/http/answers/page-headers.ts';
import type { Visit } from '#adapters/http/visit.ts';

/** Answers with a page. `policy` extends the content security policy. */
export function sendPage(ctx: Visit, status: number, html: string, policy: PagePolicy = {}): void {
  setPageHeaders(ctx, policy);
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
