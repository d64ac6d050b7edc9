import type { RemoteReach } from '#adapters/contracts/remote-sessions.ts';
import type { OperationTable, RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** How people connect to a remote MCP server: by its OAuth, by a key that is sent as a bearer, or not at all. */
export type RemoteConnection = 'oauth' | 'key' | 'none';

/** A remote MCP server, as a service is made of it. */
export type RemoteDefinition = Readonly<{
  key: ServiceKey;
  title: string;
  reach: RemoteReach;
  connection: RemoteConnection;
  /** The names of the tools that are used, as the server has them; null for all. */
  tools: readonly string[] | null;
  /** The tools that `workspace_search` asks, by the names that the server gives them. */
  searched: readonly string[];
  /** The effects of tools by the names that the server gives them; others have the worst of their hints. */
  effects: Readonly<Record<string, Effect>>;
  /** Whether what it lists first is accepted: what the configuration names is, what is added on a page is not. */
  acceptsFirst: boolean;
}>;

/** A call of a tool of a remote server, over a connection. */
export type RemoteSending = Readonly<{
  record: TokenRecord;
  row: RequestRow;
  inputs: Inputs;
  call: Pick<OperationCall, 'signal' | 'departure' | 'onProgress' | 'onQuestion'>;
}>;

/** A remote MCP server in one process: its tools as operations, and how they are called. */
export interface RemoteProvider {
  /** Its operations as they are now: another object after each change. */
  readonly current: OperationTable;
  /** Calls a tool in the session of the connection's user, which is opened when there is none. */
  send(sending: RemoteSending): Promise<Outcome>;
  /** Tests a connection: opens a session with it, and lists the tools. */
  probe(record: TokenRecord): Promise<Outcome>;
}
