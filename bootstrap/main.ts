// The signals come first: a stop during the start counts as well, and the first process of a container ignores signals without a handler.
import { hearStops } from '#bootstrap/stop/hear-stops.ts';

const stop = hearStops();
const exit = (): never => process.exit(0);
stop.addEventListener('abort', exit);
const { runServer } = await import('#bootstrap/run-server.ts');
// Until then there is nothing to close.
process.exit(await runServer(stop, () => stop.removeEventListener('abort', exit)));
