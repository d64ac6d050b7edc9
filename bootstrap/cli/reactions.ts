import { type OpenReactions, runReactionsCommand } from '#adapters/cli/reactions-command.ts';
import { systemTerminal } from '#adapters/cli/system-terminal.ts';
import { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import { printError } from '#bootstrap/cli/command.ts';
import { openedForCommand, openTeamVault } from '#bootstrap/cli/opened-for-command.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/*
 * `npm run reactions -- list|check|dry-run`: manages reactions from the command line, with the vault and the database of
 * the server, which may be running. Exits with 1 when there is a fault, or no such reaction.
 */
try {
  process.exitCode = await runReactionsCommand(process.argv.slice(2), { open, terminal: systemTerminal });
} catch (error) {
  process.exitCode = printError(error);
}
// Do not wait for the rest of standard input.
process.stdin.destroy();

async function open(): Promise<OpenReactions> {
  const { container, closeAll } = await openedForCommand();
  const closeVault = await openTeamVault(container);
  const close = async () => {
    await closeVault();
    await closeAll();
  };
  return { reactions: container.get(tokens.manageReactions), switches: container.get(BuiltInSwitches), close };
}
