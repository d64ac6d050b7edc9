import { type RpcParams, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import { RpcError } from '#adapters/mcp/protocol/rpc-error.ts';

/** Throws `RpcError` for a cursor of a list that has one page, and so never handed one out. */
export function rejectCursor({ cursor }: RpcParams, why: string): void {
  if (cursor !== undefined && cursor !== null && cursor !== '') {
    throw new RpcError(rpcCodes.invalidParams, `Unknown cursor: ${why}.`);
  }
}
