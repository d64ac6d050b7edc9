import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/**
 * The paths of the protected resources, each with metadata of its own (RFC 9728 §3.1): MCP by its names (MCP-029), and
 * its older transport; '' stands for the origin.
 */
export const resourcePaths = ['', '/message', '/mcp', '/sse'] as const;

/** Whether a path, without a trailing slash, is the path of a protected resource. */
function isResourcePath(path: string): boolean {
  return resourcePaths.some((known) => known === path);
}

/** The path of the protected resource at an address; any other address belongs to the origin. */
export function resourcePathOf(path: string): string {
  return resourcePaths.find((known) => known === path) ?? '';
}

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
