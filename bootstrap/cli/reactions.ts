import { Command } from 'commander';
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

program
  .command('list')
  .description('All reactions, with what they have done')
  .action(() =>
    withReactions(async (reactions) => {
      const all = await reactions.list();
      return { text: all.map(lineOf).join('\n') || 'There are no reactions.', isFine: true };
    }),
  );

program
  .command('check')
  .description('Every fault of every reaction, with its line')
  .action(() =>
    withReactions(async (reactions) => {
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
      const tried = await reactions.try(path);
      if (tried === null) return { text: 'There is no such reaction, or it has faults.', isFine: false };
      const lines = tried.map(({ seq, event, changes, ending }) =>
        [`${seq ?? 'schedule'}  ${event}: ${ending}`, ...changes].join('\n'),
      );
      return { text: plain(lines.join('\n\n')) || 'No delivery that fits has come in yet.', isFine: true };
    }),
  );

await program.parseAsync();

type Said = Readonly<{ text: string; isFine: boolean }>;

async function withReactions(run: (reactions: ManageReactions) => Promise<Said>): Promise<void> {
  try {
    const { container, closeAll } = await openedForCommand();
    const close = await openTeamVault(container);
    try {
      const reactions = container.get(tokens.manageReactions);
      const none: Said = {
        text: 'Notes are written elsewhere than into a vault here: there are no reactions.',
        isFine: false,
      };
      const { text, isFine } = reactions === null ? none : await run(reactions);
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
