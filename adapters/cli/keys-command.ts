import { Command, CommanderError } from 'commander';
import type { SealedValues } from '#adapters/contracts/sealed-values.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The encrypted values of the database. `takeSecret` makes the current secret the one that servers must be given. */
export type OpenedValues = Readonly<{
  values: readonly SealedValues[];
  takeSecret(): Promise<void>;
  close(): Promise<void>;
}>;

/** The command's dependencies. `open` opens the database of the settings; `print` writes a line. */
type KeysCommandDependencies = Readonly<{
  open: () => Promise<OpenedValues>;
  print: (line: string) => void;
  /** Aborted when the administrator interrupts the command. */
  signal: AbortSignal;
}>;

const help = `
To change the secret, set SECRET_KEY_BASE to a new one and SECRET_KEY_BASE_PREVIOUS to the former one, restart the
server, and run "${commandLine('keys')} rotate". Remove SECRET_KEY_BASE_PREVIOUS after 30 days, when "${commandLine('keys')} status" names
only the current key: sign-ins from before the change have expired by then. If you remove it earlier, they end at once.
The server may keep running. Run an interrupted rotation again to continue it.
With several servers on one database, first restart each with the new secret as SECRET_KEY_BASE_PREVIOUS, so that each can
open what any other seals; then restart each with the two swapped.`;

/** Runs `keys status` or `keys rotate`; returns the exit code. */
export async function runKeysCommand(words: readonly string[], dependencies: KeysCommandDependencies): Promise<number> {
  let code = 0;
  const command = new Command(commandLine('keys')).description('The keys that encrypt stored tokens and deliveries');
  command.exitOverride().addHelpText('after', help);
  command
    .command('status')
    .description('Shows how many stored values each key has encrypted')
    .action(async () => {
      code = await withValues(dependencies, ({ values }) => status(values, dependencies.print));
    });
  command
    .command('rotate')
    .description("Re-encrypts values of the former key, and makes the current secret the database's")
    .option(
      '--force',
      'when the former secret is lost: what it encrypted stays unreadable and has to be connected again',
    )
    .action(async ({ force = false }: Readonly<{ force?: boolean }>) => {
      code = await withValues(dependencies, (opened) => rotate(opened, dependencies, force));
    });
  try {
    await command.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode;
  }
  return code;
}

async function withValues(
  { open }: KeysCommandDependencies,
  run: (opened: OpenedValues) => Promise<number>,
): Promise<number> {
  const opened = await open();
  try {
    return await run(opened);
  } finally {
    await opened.close();
  }
}

async function status(values: readonly SealedValues[], print: (line: string) => void): Promise<number> {
  let isReadable = true;
  for (const kind of values) {
    const counts = await kind.count();
    print(`${kind.name}${counts.length === 0 ? ': none' : ''}`);
    for (const { keyId, isCurrent, isKnown, values: count } of counts) {
      const which = isCurrent ? 'current' : isKnown ? 'former' : 'unknown: these cannot be read';
      print(`  key ${keyId}  ${count}  (${which})`);
      isReadable &&= isKnown;
    }
  }
  return isReadable ? 0 : 1;
}

async function rotate(
  { values, takeSecret }: OpenedValues,
  { print, signal }: KeysCommandDependencies,
  isForced: boolean,
): Promise<number> {
  let unreadable = 0;
  for (const kind of values) {
    const done = await kind.reencrypt(
      (sofar) => print(`${kind.name}: ${sofar.reencrypted + sofar.unreadable} of ${sofar.total}`),
      signal,
    );
    if (signal.aborted) {
      print('Interrupted. Nothing is lost; run the command again to continue.');
      return 130;
    }
    unreadable += done.unreadable;
    print(`${kind.name}: ${done.reencrypted} re-encrypted`);
  }
  if (unreadable === 0 || isForced) await takeSecret();
  if (unreadable === 0) return 0;
  print(`${unreadable} could not be read with SECRET_KEY_BASE or SECRET_KEY_BASE_PREVIOUS, and are left unchanged.`);
  if (isForced) print('The current secret is now the secret of the database.');
  return isForced ? 0 : 1;
}
