import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/** Decides whether a resource indicator (RFC 8707) means this server: its own origin, or loopback while it listens there. */
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
