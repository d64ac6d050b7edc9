import { catalogTools, type RunOperationFor } from '#adapters/mcp/catalog-tools.ts';
import { DirectDispatcher } from '#adapters/mcp/direct-dispatcher.ts';
import type { Dispatcher } from '#adapters/mcp/dispatcher.ts';
import type { Answer, EventLine, Exchange } from '#adapters/mcp/exchange.ts';
import { openSdkDispatcher } from '#adapters/mcp/sdk-dispatcher.ts';
import { type StreamBounds, StreamSessions, streamBounds } from '#adapters/mcp/stream-sessions.ts';
import { streamable } from '#adapters/mcp/streamable.ts';
import { ToolMethods } from '#adapters/mcp/tool-methods.ts';
import { ToolRegistry } from '#adapters/mcp/tool-registry.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { Random } from '#application/ports/random.ts';
import type { User } from '#domain/users/user.ts';

/** What the endpoint is made of; `version` is the product's. */
export type McpParts = Readonly<{
  catalog: OperationCatalog;
  run: RunOperationFor;
  random: Random;
  logger: Logger;
  version: string;
  bounds?: StreamBounds;
}>;

/** Opens the MCP endpoint over the operations of the catalog: everything that is the same for all requests is built here. */
export async function openMcpEndpoint(parts: McpParts): Promise<McpEndpoint> {
  const { catalog, run, random, logger, version, bounds = streamBounds } = parts;
  const methods = new ToolMethods(new ToolRegistry(catalogTools(catalog, run)), logger);
  const dispatcher = new DirectDispatcher(methods, await openSdkDispatcher(methods, version));
  return new McpEndpoint(dispatcher, new StreamSessions(dispatcher, random, bounds));
}

/** Tells callers of `POST /message` by their shape, and hands each to its transport. */
export class McpEndpoint {
  readonly #dispatcher: Dispatcher;
  readonly #streams: StreamSessions;

  constructor(dispatcher: Dispatcher, streams: StreamSessions) {
    this.#dispatcher = dispatcher;
    this.#streams = streams;
  }

  /** Takes a posted message; null when the answer went out as a stream, or nobody waits for it any more. */
  async message(exchange: Exchange): Promise<Answer | null> {
    const { sessionId } = exchange.query;
    if (sessionId === undefined) return streamable(this.#dispatcher, exchange);
    return this.#streams.post(typeof sessionId === 'string' ? sessionId : '', exchange);
  }

  /** Opens a stream of the older transport; null when it is open, else the refusal. */
  openStream(user: User, openLine: () => EventLine): Answer | null {
    return this.#streams.open(user, openLine);
  }

  /** Ends the open streams of the older transport; requests under way on `/message` are still answered. */
  close(): void {
    this.#streams.close();
  }
}
