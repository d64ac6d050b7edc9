import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The range to search: below the ephemeral ports, which systems assign to connections and to servers that ask for port 0. */
const lowest = 15_000;
const highest = 30_000;

/**
 * Finds a free port for a server that starts later, or restarts. Ephemeral ports are avoided, because the system could assign the same
 * port to another program meanwhile.
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
