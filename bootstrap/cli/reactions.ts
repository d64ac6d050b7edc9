import { Command } from 'commander';
import type { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import type { ManageReactions, ShownReaction } from '#application/reactions/manage-reactions.ts';
import { printError } from '#bootstrap/cli/command.ts';
import { openedForCommand, openTeamVault } from '#bootstrap/cli/opened-for-command.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { statusLine } from '#domain/reaction-notes/reaction-note.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/*
 * `npm run reactions -- list|check|dry-run`: the reactions that people wrote, from the command line, on the vault and the
 * database of the server, which may run meanwhile. Status 1 when there is a fault, or no such reaction.
 */
const program = new Command(commandLine('reactions')).description('The reactions that people wrote as notes');

type Said = Readonly<{ text: string; isFine: boolean }>;

const none: Said = {
  text: 'Notes are written elsewhere than into a vault here: nobody writes reactions.',
  isFine: false,
};

program
  .command('list')
  .description('All reactions, with what they have done')
  .action(() =>
    withReactions(async (reactions, switches) => {
      const written = (await reactions?.list()) ?? [];
      const builtIn = await switches.list();
      const lines = builtIn.map(
        ({ name, isOn, title, does }) => `${name}  built in, ${isOn ? 'on' : 'off'}  ${title}: ${does}`,
      );
      return { text: [...lines, ...written.map(lineOf)].join('\n'), isFine: true };
    }),
  );

program
  .command('check')
  .description('Every fault of every reaction, with its line')
  .action(() =>
    withReactions(async (reactions) => {
      if (reactions === null) return none;
      const all = await reactions.list();
      const faults = all.flatMap(({ path, faults: of }) =>
        of.map(({ line, message }) => `${path}:${line}: ${message}`),
      );
      return {
        text: plain(faults.join('\n')) || `${all.length} reactions are understood.`,
        isFine: faults.length === 0,
      };
    }),
  );

program
  .command('dry-run')
  .description('What a reaction would have done about the last deliveries that fit, without doing it')
  .argument('<path>', 'its path in the vault, such as Reactions/won.md')
  .action((path: string) =>
    withReactions(async (reactions) => {
      if (reactions === null) return none;
      const tried = await reactions.try(path);
      if (tried === null) return { text: 'There is no such reaction, or it has faults.', isFine: false };
      const lines = tried.map(({ seq, event, changes, ending }) =>
        [`${seq ?? 'schedule'}  ${event}: ${ending}`, ...changes].join('\n'),
      );
      return { text: plain(lines.join('\n\n')) || 'No delivery that fits has come in yet.', isFine: true };
    }),
  );

type Run = (reactions: ManageReactions | null, switches: BuiltInSwitches) => Promise<Said>;

async function withReactions(run: Run): Promise<void> {
  try {
    const { container, closeAll } = await openedForCommand();
    const close = await openTeamVault(container);
    try {
      const { text, isFine } = await run(container.get(tokens.manageReactions), container.get(tokens.reactionSwitches));
      if (!isFine) process.exitCode = 1;
      process.stdout.write(`${text}\n`);
    } finally {
      await close();
      await closeAll();
    }
  } catch (error) {
    process.exitCode = printError(error);
  }
}

function lineOf(shown: ShownReaction): string {
  const { path, reaction, count } = shown;
  const done = count === null ? 'has not run' : `${count.runs} runs, ${count.faults} faults, last: ${count.outcome}`;
  return plain([path, reaction?.mode ?? 'faulty', reaction === null ? statusLine(shown) : done].join('  ')).replaceAll(
    '\n',
    ' ',
  );
}

/** Replaces control characters but line ends by blanks, so that texts from outside send none to a terminal. */
function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, ' ');
}

await program.parseAsync();
