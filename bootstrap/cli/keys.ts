import { runKeysCommand } from '#adapters/cli/keys-command.ts';
import { printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { hearStops } from '#bootstrap/stop/hear-stops.ts';
import { openSealedValues } from '#bootstrap/stores/open-sealed-values.ts';

try {
  process.exitCode = await runKeysCommand(process.argv.slice(2), {
    open,
    print: (line) => process.stdout.write(`${line}\n`),
    signal: hearStops(),
  });
} catch (error) {
  process.exitCode = printError(error);
}

async function open() {
  const { settings, config } = await settingsOfCommand();
  return openSealedValues(settings, config.stores);
}
