import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded before a server: answers on the socket that SOAK_SOCKET names how many bytes of heap are in use after a garbage collection.
 */
const socket = process.env['SOAK_SOCKET'];
if (socket !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  createServer((_, response) => {
    // The second collects what the first has finalized.
    for (let times = 0; times < 2; times += 1) if (typeof collect === 'function') Reflect.apply(collect, null, []);
    response.end(String(process.memoryUsage().heapUsed));
  })
    .listen(socket)
    .unref();
}
