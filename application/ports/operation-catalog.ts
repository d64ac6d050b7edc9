import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A JSON Schema (draft 2020-12) of type object. */
export type JsonObjectSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>;

/**
 * One outbound operation as the edges see it: enough to list, document and call it, free of any provider's wire.
 * `name` is unique within the service ('notes.read'); `tool` is the contract's MCP tool name or null when it has none;
 * `route` is its REST address below `/api/{service}` ('{id}' one segment, '{+path}' the rest) or null when it has none.
 */
export type OperationInfo = Readonly<{
  service: ServiceKey;
  name: string;
  tool: string | null;
  title: string;
  summary: string;
  effect: Effect;
  isIdempotent: boolean;
  /** False for the vault, whose notes are the user's own place; true for the four cloud services. */
  isOpenWorld: boolean;
  /** The input that is a file, or null: over REST its bytes may come as the raw body. */
  upload: string | null;
  /** Built once at start; never per request. */
  inputSchema: JsonObjectSchema;
  route: Readonly<{ method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }> | null;
}>;

/** All operations of all services, in the order of their tables. */
export interface OperationCatalog {
  readonly operations: readonly OperationInfo[];
}
