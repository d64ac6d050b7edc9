import { type RpcParams, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import { RpcError } from '#adapters/mcp/protocol/rpc-error.ts';

/** Throws `RpcError` for any cursor: the list has a single page, so no cursor was ever returned. */
export function rejectCursor({ cursor }: RpcParams, why: string): void {
  if (cursor !== undefined && cursor !== null && cursor !== '') {
    throw new RpcError(rpcCodes.invalidParams, `Unknown cursor: ${why}.`);
  }
}
