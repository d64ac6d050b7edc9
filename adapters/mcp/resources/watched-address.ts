import { RpcError, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { User } from '#domain/users/user.ts';

/**
 * The maximum number of addresses that one session or subscription may watch. A limit of this server: the protocol sets
 * none.
 */
export const maxWatched = 200;

/** The maximum length of a watched address, in characters. */
const maxAddressLength = 2_048;

/**
 * The canonical address under which changes of the resource are published; null when no source has it, or the user has
 * no access.
 */
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

/** Validates an address to watch; throws `RpcError` when it is invalid. */
export function checkAddress(value: unknown): string {
  if (typeof value === 'string' && value.length <= maxAddressLength) return value;
  throw new RpcError(
    rpcCodes.invalidParams,
    `The address of a resource is a text of at most ${maxAddressLength} characters.`,
  );
}
