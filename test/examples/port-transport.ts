import type { MessagePort } from 'node:worker_threads';
import type { ClientDispatcher } from '#bootstrap/client-dispatcher.ts';

/** A transport of few lines: MCP on a port between threads. A WebSocket is served the same way. False for a token that does not count. */
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
