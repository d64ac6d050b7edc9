import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ServeOrder } from '#test/bench/serve.ts';

const servedSchema = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) });

/** Starts a server in a process of its own, so that load and server do not share an event loop. */
export async function serveInChild(order: ServeOrder) {
  const child = fork(fileURLToPath(new URL('serve.ts', import.meta.url)), {
    // The log is written, as in earnest, but to nowhere.
    stdio: ['ignore', 'inherit', order.kind === 'target' ? openSync('/dev/null', 'w') : 'inherit', 'ipc'],
  });
  child.send(order);
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const { url, headers } = servedSchema.parse(message);
  const close = async () => {
    const ended = once(child, 'exit');
    child.send('close');
    await ended;
  };
  return { url, headers, ...(child.pid === undefined ? {} : { pid: child.pid }), close };
}
