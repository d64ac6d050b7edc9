import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { RouteContext } from '#adapters/http/route.ts';

/** A header's name and value. */
type Header = readonly [name: string, value: string];

const contentPolicyName = 'Content-Security-Policy';
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * The headers of every answer, as helmet makes them, computed once. `isHttps` adds HSTS. No Cross-Origin-Opener-Policy:
 * a browser client opens `/authorize` in a popup and needs its opener back. The referrer policy is `same-origin`
 * since `no-referrer` makes browsers send `Origin: null` with our own forms.
 */
export function securityHeaders({ isHttps }: Readonly<{ isHttps: boolean }>): readonly Header[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
  });
  setHeaders(response.req, response, () => undefined);
  const made = Object.entries(response.getHeaders()).map(([name, value]): Header => [name, String(value)]);
  return [...made, [contentPolicyName, dataPolicy], ['Cache-Control', 'no-store']];
}

/**
 * The content policy of a page: our stylesheet and nothing else. `formTargets` are further sources that a form, or a
 * redirect after it, may lead to: Chromium holds redirects against `form-action` too.
 */
export function setPagePolicy(ctx: RouteContext, formTargets: readonly string[] = []): void {
  const sources = ["'self'", ...formTargets].join(' ');
  ctx.set(
    contentPolicyName,
    `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${sources}; frame-ancestors 'none'; base-uri 'none'`,
  );
}
