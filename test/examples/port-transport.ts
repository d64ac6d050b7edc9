import type { MessagePort } from 'node:worker_threads';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** A minimal transport: MCP over a message port between threads; a WebSocket works the same way. */
export class PortTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: NonNullable<Transport['onclose']>;
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#port.on('message', (message: JSONRPCMessage) => this.onmessage?.(message));
    this.#port.on('close', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#port.postMessage(message, []);
  }

  async close(): Promise<void> {
    this.#port.close();
  }
}
