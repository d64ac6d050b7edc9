// The signals come first: a stop during the start counts as well, and the first process of a container ignores signals without a handler.
import { hearStops } from '#bootstrap/stop/hear-stops.ts';

const stop = hearStops();
const exit = (): never => process.exit(0);
stop.addEventListener('abort', exit);
// Node waits for the disk in threads, four unless it is given a number before the first one starts. Deliveries and calls that each sync a
// note would wait for each other's turn with the disk (INBOX-028).
process.env['UV_THREADPOOL_SIZE'] ??= '32';
const { runServer } = await import('#bootstrap/run-server.ts');
// Until then there is nothing to close.
process.exit(await runServer(stop, () => stop.removeEventListener('abort', exit)));
