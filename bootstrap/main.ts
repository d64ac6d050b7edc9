import type { Logger } from '#application/ports/logger.ts';
import { banner } from '#bootstrap/banner.ts';
import { printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { type RunningPortolan, startPortolan } from '#bootstrap/portolan.ts';
import { atMost, stopBudget } from '#bootstrap/stop-budget.ts';
import { version } from '#bootstrap/version.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

try {
  const { settings, config } = await settingsOfCommand();
  const logger = openLogger(settings.LOG_LEVEL);
  const portolan = await startPortolan(settings, logger, version, config);
  stopOnSignals(portolan, logger);
  if (!settings.RATE_LIMITS) logger.warn({}, 'RATE_LIMITS=off: this server limits nobody');
  process.stdout.write(banner({ version, ...portolan }));
} catch (error) {
  process.exit(printError(error));
}

/** Handles signals: the first drains and exits with 0 within a time limit; a second one exits immediately. */
function stopOnSignals(running: RunningPortolan, logger: Logger): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(130);
    isStopping = true;
    logger.info({ signal }, 'Stopping: what is running may end');
    await atMost(stopBudget.allMs, running.stop());
    process.exit(0);
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
}
