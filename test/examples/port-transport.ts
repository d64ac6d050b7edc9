import type { MessagePort } from 'node:worker_threads';
import type { ClientDispatcher } from '#bootstrap/package/client-dispatcher.ts';

/** A minimal transport: MCP over a message port between threads; a WebSocket works the same way. Returns false for an invalid token. */
export async function servePort(dispatcher: ClientDispatcher, port: MessagePort, token: string): Promise<boolean> {
  const line = await dispatcher.connect({
    token,
    send: (json) => port.postMessage(json),
    end: () => port.close(),
  });
  port.on('message', (text: unknown) => void line?.receive(String(text)));
  port.on('close', () => line?.close());
  return line !== null;
}
