import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Where ports are looked for: below those that a system gives to connections and to servers that ask for port 0. */
const lowest = 15_000;
const highest = 30_000;

/**
 * A port that nobody listens on, for a server that starts later, or that ends and comes back. Ports that a system hands out itself are left
 * alone: another program could be given the same one meanwhile.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found between ${lowest} and ${highest}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
