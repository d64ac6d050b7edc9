import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Visit } from '#adapters/http/visit.ts';

type Header = readonly [name: string, value: string];

/**
 * The headers that helmet sets for pages, computed once. No Cross-Origin-Opener-Policy but on pages with a navigation: a
 * browser client opens `/authorize` in a popup and needs its opener back. The referrer policy is `same-origin`, since `no-referrer` makes
 * browsers send `Origin: null` with our own forms.
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

/** The browser's features that no page uses. */
const noFeatures = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ');

/**
 * A page's additions to the content security policy: further targets for its forms, and whether it runs our script.
 * `isAlone` cuts the page off from a window that opened it.
 */
export type PagePolicy = Readonly<{ formTargets?: readonly string[]; hasScript?: boolean; isAlone?: boolean }>;

/**
 * Sets the headers of a page, with its content security policy: only our stylesheet, and our script where the page
 * `hasScript`, which may connect to this server only. `formTargets` are further sources that a form, or a redirect
 * after it, may lead to: Chromium applies `form-action` to redirects too.
 */
function setPageHeaders(ctx: Visit, { formTargets = [], hasScript = false, isAlone = false }: PagePolicy): void {
  for (const [name, value] of pageHeaders) ctx.res.setHeader(name, value);
  ctx.set('Permissions-Policy', noFeatures);
  if (isAlone) ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  const sources = ["'self'", ...formTargets].join(' ');
  const scripts = hasScript ? " script-src 'self'; connect-src 'self';" : '';
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self';${scripts} img-src 'self'; form-action ${sources}; frame-ancestors 'none'; base-uri 'none'`,
  );
}

/** Answers with a page. `policy` extends the content security policy. */
export function sendPage(ctx: Visit, status: number, html: string, policy: PagePolicy = {}): void {
  setPageHeaders(ctx, policy);
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
