import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * Whether tokens were granted for the server at an address, by what they are bound to; tokens that were granted for
 * another server are not sent to this one. Keys, which people enter themselves, are for whatever they were entered for.
 */
export function isGrantedFor({ authMethod, extra }: Pick<TokenRecord, 'authMethod' | 'extra'>, url: string): boolean {
  if (authMethod !== 'oauth') return true;
  const resource = resourceIn(extra['remote']);
  const [granted, server] = [resource === null ? null : URL.parse(resource), URL.parse(url)];
  if (granted === null || server === null || granted.origin !== server.origin) return false;
  return asFolder(server.pathname).startsWith(asFolder(granted.pathname));
}

function resourceIn(remote: unknown): string | null {
  if (typeof remote !== 'object' || remote === null || !('resource' in remote)) return null;
  return typeof remote.resource === 'string' ? remote.resource : null;
}

const asFolder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
