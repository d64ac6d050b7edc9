import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A remote MCP server that an administrator added on a page. `userId` is the administrator, `at` Unix ms. How people
 * connect to it: by its own OAuth, by a key that they enter, or not at all.
 */
export type AddedServer = Readonly<{
  key: ServiceKey;
  title: string;
  url: string;
  connection: 'oauth' | 'key' | 'none';
  userId: number;
  at: number;
}>;

/** The maximum number of servers that administrators may add. */
export const maxAddedServers = 20;
/** The maximum length of a key, and of a title, in characters: names of tools have at most 64. */
export const maxServerKey = 32;
export const maxServerTitle = 60;

/** Keys that begin the names of this server's own tools, and that of the page of the servers. */
const reserved: readonly string[] = ['workspace', 'portolan', 'servers'];

/** Returns why a key cannot be that of another service, as a phrase after its name; null when it can. */
export function keyError(key: string, taken: readonly ServiceKey[]): string | null {
  if (key.length > maxServerKey || !/^[a-z]+(?:_[a-z]+)*$/.test(key)) {
    return `must be lower-case words joined by _, with at most ${maxServerKey} characters, such as wiki`;
  }
  if (reserved.includes(key)) return 'must not be that of the server itself';
  return taken.includes(key) ? 'is that of a service that is here already' : null;
}

/**
 * Returns why an address cannot be that of a server, as a phrase after its name; null when it can. Plain HTTP is for
 * addresses in the own network only, which `isPrivate` says.
 */
export function serverAddressError(address: string, isPrivate: boolean): string | null {
  const url = address.length > 2_048 ? null : URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an address such as https://mcp.example.com/mcp';
  if (url.username !== '' || url.password !== '' || url.hash !== '' || /[\s\\@]/.test(address)) {
    return 'must have no user info, fragment or blanks';
  }
  return url.protocol === 'https:' || isPrivate ? null : 'must begin with https://, or be in your own network';
}
