import { banner } from '#bootstrap/banner.ts';
import { type CommandSettings, printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { type RunningPortolan, startPortolan } from '#bootstrap/portolan.ts';
import { atMost, stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';
import { version } from '#bootstrap/version.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { measureProcessorLoad } from '#infrastructure/program/processor-load.ts';

/**
 * Runs the server until `stop` aborts, which may be while it starts, and stops it within a time limit. Calls `onOpening`
 * when there is something to close from then on. Returns the exit code; an error that the operator can correct is
 * printed.
 */
export async function runServer(stop: AbortSignal, onOpening: () => void): Promise<number> {
  try {
    const given = await settingsOfCommand();
    onOpening();
    return await run(given, stop);
  } catch (error) {
    return printError(error);
  }
}

async function run({ settings, config }: CommandSettings, stop: AbortSignal): Promise<number> {
  const logger = openLogger(settings.LOG_LEVEL);
  const { drainMs } = settings;
  stop.addEventListener('abort', () => {
    logger.info({ signal: stop.reason, drainMs }, 'Stopping: running requests may finish');
  });
  const portolan = await unlessStopped(
    startPortolan({ settings, config, logger, version, load: measureProcessorLoad(), stop }),
    stop,
  );
  if (portolan !== null) {
    if (!settings.RATE_LIMITS) logger.warn({}, 'RATE_LIMITS=off: rate limits are disabled');
    process.stdout.write(banner({ version, takesPasswords: settings.PASSWORDS, ...portolan }));
    await stopped(stop);
    await atMost(drainMs + stopBudgetAfter(drainMs).allMs, portolan.stop());
  }
  logger.info({}, 'Stopped');
  return 0;
}

/** How long a start that is stopped may take to close what it has opened, in ms. */
const maxUnwindMs = 2_000;

/**
 * Returns the started server; null when `stop` aborts first, and what was opened is closed or has taken too long. No
 * step needs its end: migrations are in a transaction, and a process may be killed at any time.
 */
async function unlessStopped(starting: Promise<RunningPortolan>, stop: AbortSignal): Promise<RunningPortolan | null> {
  const late = Promise.withResolvers<null>();
  const end = () => setTimeout(() => late.resolve(null), maxUnwindMs);
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    return await Promise.race([starting, late.promise]);
  } catch (error) {
    if (stop.aborted) return null;
    throw error;
  } finally {
    stop.removeEventListener('abort', end);
  }
}

function stopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
