// The signals come first: a stop during the start counts as well, and the first process of a container ignores signals without a handler.
import { hearStops } from '#bootstrap/hear-stops.ts';

const stop = hearStops();
// Until the server is opened there is nothing to close.
const exit = (): never => process.exit(0);
stop.addEventListener('abort', exit);

const { printError, settingsOfCommand } = await import('#bootstrap/cli/command.ts');
const { runServer } = await import('#bootstrap/run-server.ts');
try {
  const given = await settingsOfCommand();
  stop.removeEventListener('abort', exit);
  process.exit(await runServer(given, stop));
} catch (error) {
  process.exit(printError(error));
}
