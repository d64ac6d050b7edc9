import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { z } from 'zod';
import { banner } from '#bootstrap/banner.ts';
import { StartFault } from '#bootstrap/first-start.ts';
import { type Portolan, startPortolan } from '#bootstrap/portolan.ts';
import { readSettings, type Settings } from '#bootstrap/settings.ts';
import { EnvFaults } from '#infrastructure/config/read-env.ts';
import { DatabaseNotOpened } from '#infrastructure/database/open-database.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

if (existsSync('.env')) loadEnvFile('.env');
const settings = settingsOrExit();
const logger = openLogger(settings.LOG_LEVEL);
const portolan = await startOrExit(settings);
stopOnSignals(portolan);
if (!settings.RATE_LIMITS) logger.warn({}, 'RATE_LIMITS=off: this server limits nobody');
process.stdout.write(banner({ version, ...portolan }));

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof EnvFaults)) throw error;
    const lines = error.faults.map(({ variable, message }) => `  ${variable} ${message}`);
    return exit(`The settings do not fit:\n${lines.join('\n')}`);
  }
}

async function startOrExit(given: Settings): Promise<Portolan> {
  try {
    return await startPortolan(given, logger, version);
  } catch (error) {
    if (error instanceof StartFault || error instanceof DatabaseNotOpened) return exit(error.message);
    throw error;
  }
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The first signal drains and ends with 0; a second one ends at once. */
function stopOnSignals(running: Portolan): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(130);
    isStopping = true;
    logger.info({ signal }, 'Stopping: what is running may end');
    await running.stop();
    process.exit(0);
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
}
