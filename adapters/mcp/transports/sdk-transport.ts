import type { LineClient, LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { isObject, maxDepth } from '#domain/json/json-data.ts';
import type { User } from '#domain/users/user.ts';

/**
 * A connection to one client: what is used of the MCP SDK's `Transport`, which its own transports and many others
 * implement. Its members `onmessage` and `onclose` are set before it starts.
 */
export interface Transport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

/** Serves the client of a transport of the MCP SDK until either side closes it. */
export async function serveTransport(
  lines: LineTransport,
  transport: Transport,
  user: User,
  client: Omit<LineClient, 'send' | 'end'>,
): Promise<void> {
  const close = (): void => void transport.close().catch(() => {});
  const send = (json: string): void => void transport.send(JSON.parse(json)).catch(close);
  const line = lines.open(user, { ...client, send, end: close });
  const handlers = {
    onmessage: (message: unknown) => void line.receive(jsonOf(message)),
    onclose: () => line.close(),
  };
  Object.assign(transport, handlers);
  await transport.start();
}

/**
 * The message as JSON. What JSON cannot express, such as a cycle, is refused as text that is not JSON; parameters too deep
 * to be written are refused as too deep, under the id of their request (MCP-007).
 */
function jsonOf(message: unknown): string {
  try {
    return JSON.stringify(message) ?? 'undefined';
  } catch (error) {
    if (!(error instanceof RangeError) || !isObject(message)) return 'undefined';
    const { id, method } = message;
    const isRequest = ['string', 'number'].includes(typeof id) && typeof method === 'string';
    return isRequest ? JSON.stringify({ jsonrpc: '2.0', id, method, params: tooDeep }) : 'undefined';
  }
}

/** Parameters just too deep. */
const tooDeep: unknown = JSON.parse(`${'{"a":'.repeat(maxDepth + 1)}1${'}'.repeat(maxDepth + 1)}`);
