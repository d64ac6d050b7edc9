import { createServer } from 'node:http';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';

/*
 * Loaded before a server: counts the statements that run on its SQLite connection, and answers their number and the processor time of
 * the process (ms) on the socket that STATEMENTS_SOCKET names.
 */
const methods = z.object({ all: z.custom<Method>(), run: z.custom<Method>() });

type Method = (...values: readonly unknown[]) => unknown;

let statements = 0;
const memory = new Sqlite(':memory:');
const prototype: unknown = Object.getPrototypeOf(memory.prepare('select 1'));
memory.close();
for (const [name, method] of Object.entries(methods.parse(prototype))) {
  Object.defineProperty(prototype, name, {
    value: function counted(this: unknown, ...values: readonly unknown[]): unknown {
      statements += 1;
      return Reflect.apply(method, this, values);
    },
  });
}

const socket = process.env['STATEMENTS_SOCKET'];
if (socket !== undefined) {
  createServer((_, response) => {
    const { user, system } = process.cpuUsage();
    response.end(JSON.stringify({ statements, cpuMs: (user + system) / 1_000 }));
  })
    .listen(socket)
    .unref();
}
