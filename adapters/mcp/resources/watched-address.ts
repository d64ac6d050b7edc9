import { rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import { RpcError } from '#adapters/mcp/protocol/rpc-error.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { User } from '#domain/users/user.ts';

/** The most addresses that one session or subscription may watch. Not in the protocol: a bound of ours. */
export const maxWatched = 200;

/** The longest address that is watched, in characters. */
const maxAddressLength = 2_048;

/** The spelling under which changes of the resource are told; null when it is of none of the sources, or closed to the user. */
export function watchedAddress(
  sources: readonly ResourceSource[],
  who: Readonly<{ user: User }>,
  uri: string,
): string | null {
  for (const source of sources) {
    const address = source.addressOf(who, uri);
    if (address !== null) return address;
  }
  return null;
}

/** The value as an address. Throws `RpcError` when it is none that may be watched. */
export function checkAddress(value: unknown): string {
  if (typeof value === 'string' && value.length <= maxAddressLength) return value;
  throw new RpcError(
    rpcCodes.invalidParams,
    `The address of a resource is a text of at most ${maxAddressLength} characters.`,
  );
}
