import type { Visit } from '#adapters/http/visit.ts';

/**
 * Whether a page of ours sent the request, or a program that is no browser. Browsers send cookies to every port of a host, and take
 * all ports for one site: only the origin tells a page of ours from one of the server next door.
 */
export function isOwnPage(ctx: Visit, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === ownOrigin || origin === `${ctx.protocol}://${ctx.host}`;
}
