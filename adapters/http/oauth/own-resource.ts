import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/**
 * Builds a predicate for the resource indicators (RFC 8707) that mean this server: its own origin, and loopback while
 * it listens there.
 */
export function ownResource({
  baseUrl,
  listensOnLoopback,
}: Readonly<{ baseUrl: string; listensOnLoopback: boolean }>): (resource: string) => boolean {
  const base = new URL(baseUrl);
  return (resource) => {
    if (!URL.canParse(resource) || resource.includes('#')) return false;
    const url = new URL(resource);
    if (url.origin === base.origin) return true;
    return listensOnLoopback && isLoopbackHost(url.hostname) && isLoopbackHost(base.hostname) && url.port === base.port;
  };
}
