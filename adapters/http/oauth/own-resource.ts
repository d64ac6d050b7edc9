import { isResourcePath } from '#adapters/http/oauth/resource-paths.ts';
import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/**
 * Builds a predicate for the resource indicators (RFC 8707) that mean this server: its origin and the addresses for
 * clients, with or without a trailing slash and a query; on loopback by any name of this machine while it listens there.
 */
export function ownResource({
  baseUrl,
  listensOnLoopback,
}: Readonly<{ baseUrl: string; listensOnLoopback: boolean }>): (resource: string) => boolean {
  const base = new URL(baseUrl);
  const isOwnHost = (url: URL): boolean => {
    if (url.origin === base.origin) return true;
    const isSamePort = url.protocol === base.protocol && url.port === base.port;
    return listensOnLoopback && isSamePort && isLoopbackHost(url.hostname) && isLoopbackHost(base.hostname);
  };
  return (resource) => {
    if (!URL.canParse(resource) || resource.includes('#')) return false;
    const url = new URL(resource);
    const isPlain = url.username === '' && url.password === '';
    return isPlain && isOwnHost(url) && isResourcePath(url.pathname.replace(/\/$/, ''));
  };
}
