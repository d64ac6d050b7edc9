import { createServer, type ServerResponse } from 'node:http';
import { Container } from 'inversify';
import { jobs } from '#test/bench/growth/jobs.ts';
import type { Ran } from '#test/bench/growth/side.ts';
import { Turns } from '#test/bench/growth/turns.ts';

/*
 * Loaded before a server: on the socket that JOBS_SOCKET names it runs the job of that number in the list, and answers how long it took
 * and how many rows it had to do; and answers `/turn` with the longest turn of the event loop since it was asked last.
 */
let container: Container | null = null;
const keep = (made: Container): void => {
  container = made;
};
const loadAsync = Object.getOwnPropertyDescriptor(Container.prototype, 'loadAsync')?.value;
Object.defineProperty(Container.prototype, 'loadAsync', {
  value: function load(this: Container, ...modules: readonly unknown[]): unknown {
    keep(this);
    return Reflect.apply(loadAsync, this, modules);
  },
});

const turns = new Turns();
const socket = process.env['JOBS_SOCKET'];
if (socket !== undefined) {
  createServer((request, response) => void respond(request.url?.slice(1) ?? '', response))
    .listen(socket)
    .unref();
}

async function respond(asked: string, response: ServerResponse): Promise<void> {
  try {
    response.end(JSON.stringify(await answer(asked)));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

async function answer(asked: string): Promise<number | Ran> {
  if (asked === 'turn') return turns.longestMs();
  const job = jobs[Number(asked)];
  if (job === undefined || container === null) throw new Error(`There is no job ${asked}, or no server`);
  const begunAt = performance.now();
  const rows = await job.run(container);
  return { ms: performance.now() - begunAt, rows };
}
