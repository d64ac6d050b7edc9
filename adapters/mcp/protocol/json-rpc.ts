import type { RpcId } from '#adapters/mcp/protocol/messages.ts';
import { isObject } from '#domain/json/json-data.ts';

/** The JSON-RPC 2.0 and MCP error codes that this server uses. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The transport rejected the request (the SDK's servers use the same). */
  refused: -32000,
  /** The session does not exist, or is not the caller's. */
  sessionNotFound: -32001,
  /** No such resource, for clients before 2026-07-28; since then it is `invalidParams`. */
  resourceNotFound: -32002,
  /** A header of the request is missing, or differs from the body (2026-07-28). */
  headerMismatch: -32020,
  /** A required capability was not declared by the client (2026-07-28). */
  missingCapability: -32021,
  /** The request's protocol version is not supported (2026-07-28). */
  unsupportedVersion: -32022,
} as const;

/** Named parameters; MCP has no positional ones. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** A request, which gets an answer. */
export type RpcRequest = Readonly<{ jsonrpc: '2.0'; id: RpcId; method: string; params?: RpcParams }>;

/** A client's answer to a request of this server; `result` is null when it is an error. */
export type RpcResponse = Readonly<{ id: unknown; result: Readonly<Record<string, unknown>> | null }>;

/** A client's message, of one of these four kinds. `error` is the whole answer to an invalid message, as JSON. */
export type Incoming =
  | Readonly<{ kind: 'request'; request: RpcRequest }>
  | Readonly<{ kind: 'notification'; method: string; params: RpcParams }>
  | Readonly<{ kind: 'response'; response: RpcResponse }>
  | Readonly<{ kind: 'invalid'; error: string }>;

/** Builds an error answer as JSON; `id` is null when the request's own could not be read (JSON-RPC 2.0 §5). */
export function rpcError(
  id: RpcId | null,
  code: number,
  message: string,
  data: Readonly<Record<string, unknown>> | null = null,
): string {
  const error = data === null ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', error, id });
}

/**
 * Classifies a parsed JSON value as a JSON-RPC message. `params: null` is treated as absent, since some clients send
 * it.
 */
export function readIncoming(value: unknown): Incoming {
  if (!isObject(value)) return invalid(null, 'A JSON-RPC message is an object.');
  const { jsonrpc, id, method, params } = value;
  const knownId = isRpcId(id) ? id : null;
  if (jsonrpc !== '2.0') return invalid(knownId, 'The member jsonrpc must be "2.0".');
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) {
    return { kind: 'response', response: { id, result: isObject(value['result']) ? value['result'] : null } };
  }
  if (typeof method !== 'string') return invalid(knownId, 'The member method must be a text.');
  if (id !== undefined && knownId === null) return invalid(null, 'The member id must be a text or a whole number.');
  const isGiven = params !== undefined && params !== null;
  if (isGiven && !isObject(params)) return invalid(knownId, 'The member params must be an object.', true);
  const named = isObject(params) ? params : undefined;
  if (knownId === null) return { kind: 'notification', method, params: named ?? {} };
  const request: RpcRequest = { jsonrpc, id: knownId, method };
  return { kind: 'request', request: named === undefined ? request : { ...request, params: named } };
}

/** Whether a request asks for progress notifications. */
export function wantsProgress({ params }: RpcRequest): boolean {
  const meta = params?.['_meta'];
  return isObject(meta) && isRpcId(meta['progressToken']);
}

/** Whether a value can be a request id: a string, or a number that JSON represents exactly. */
export function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function invalid(id: RpcId | null, message: string, isParams = false): Incoming {
  const code = isParams && id !== null ? rpcCodes.invalidParams : rpcCodes.invalidRequest;
  return { kind: 'invalid', error: rpcError(id, code, message) };
}

/** Thrown to answer a request with a JSON-RPC error; message and data are sent to the client unchanged. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | null;

  constructor(code: number, message: string, data: Readonly<Record<string, unknown>> | null = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Throws `RpcError` for any cursor: the list has a single page, so no cursor was ever returned. */
export function rejectCursor({ cursor }: RpcParams, why: string): void {
  if (cursor !== undefined && cursor !== null && cursor !== '') {
    throw new RpcError(rpcCodes.invalidParams, `Unknown cursor: ${why}.`);
  }
}

/** The tool whose call counts as many messages as it has items. */
const bulkTool = 'workspace_bulk';

/** The maximum number of messages that one message counts as: a call with more items is rejected. */
const maxCost = 50;

/**
 * Returns as how many messages a posted value counts: each message of a batch as one, or as many as it makes calls, so
 * that a bulk is no way round the rate limit (MCP-019).
 */
export function messageCost(value: unknown): number {
  return [value].flat().reduce((sum: number, message) => sum + costOfOne(message), 0);
}

function costOfOne(message: unknown): number {
  const params = memberOf(message, 'params');
  const given = memberOf(params, 'arguments');
  const isRun = memberOf(given, 'tool') === bulkTool;
  if (memberOf(params, 'name') !== bulkTool && !isRun) return 1;
  const items = memberOf(isRun ? memberOf(given, 'arguments') : given, 'items');
  return Array.isArray(items) ? Math.max(1, Math.min(items.length, maxCost)) : 1;
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
