import * as runner from 'vitest';
import { type StageDispatcher, stageDispatcher } from '#bootstrap/package/testing.ts';
import { mcpTransportContract } from '#test/contracts/mcp-transport.ts';

type Subject = Parameters<typeof mcpTransportContract>[1];
type Stage = Parameters<Subject['open']>[0];
type Client = Awaited<ReturnType<Awaited<ReturnType<Subject['open']>>['port']['connect']>>;
type Transport = Parameters<StageDispatcher['connect']>[0] & { onmessage?(message: unknown): void; onclose?(): void };

/** The two ends of a connection in one process: the client’s, and the server’s as a transport of the MCP SDK. */
function ends(): readonly [Client, Transport] {
  const received: Client['received'][number][] = [];
  const listeners = new Set<(message: Client['received'][number]) => void>();
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const far: Transport = {
    start: async () => {},
    send: async (message) => {
      for (const one of [JSON.parse(JSON.stringify(message))].flat()) {
        received.push(one);
        for (const run of listeners) run(one);
      }
    },
    close: async () => close(),
  };
  const near: Client = {
    received,
    send: async (text) => far.onmessage?.(parsed(text)),
    onMessage: (run) => {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    closed,
    close: async () => far.onclose?.(),
  };
  return [near, far];
}

/** What is not JSON is nothing that JSON could say. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As an author writes it, with what the package exports only. */
const open = async (stage: Stage) => {
  const server = stageDispatcher(stage);
  const connect = async () => {
    const [near, far] = ends();
    await server.connect(far);
    return near;
  };
  return { port: { ...server, connect }, close: async () => server.close() };
};

mcpTransportContract(runner, {
  name: 'an author’s transport over the stage dispatcher',
  supports: { durable: false, processes: false, clock: false },
  open,
});
