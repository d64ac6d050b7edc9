import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Visit } from '#adapters/http/visit.ts';

type Header = readonly [name: string, value: string];

/**
 * What helmet adds for pages, computed once. No Cross-Origin-Opener-Policy: a browser client opens `/authorize` in a
 * popup and needs its opener back. The referrer policy is `same-origin`, since `no-referrer` makes browsers send
 * `Origin: null` with our own forms.
 */
const pageHeaders: readonly Header[] = helmetHeaders();

function helmetHeaders(): readonly Header[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    xContentTypeOptions: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: { action: 'deny' },
  });
  setHeaders(response.req, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** What a page may do beyond the usual: sources that its forms may lead to, and whether it has our script. */
export type PagePolicy = Readonly<{ formTargets?: readonly string[]; hasScript?: boolean }>;

/**
 * The headers of a page, with its content policy: our stylesheet, where the page `hasScript` our own script, which may ask this server only, and nothing else. `formTargets` are further sources that a form, or a
 * redirect after it, may lead to: Chromium holds redirects against `form-action` too.
 */
export function setPageHeaders(ctx: Visit, { formTargets = [], hasScript = false }: PagePolicy): void {
  for (const [name, value] of pageHeaders) ctx.res.setHeader(name, value);
  const sources = ["'self'", ...formTargets].join(' ');
  const scripts = hasScript ? " script-src 'self'; connect-src 'self';" : '';
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self';${scripts} img-src 'self'; form-action ${sources}; frame-ancestors 'none'; base-uri 'none'`,
  );
}
