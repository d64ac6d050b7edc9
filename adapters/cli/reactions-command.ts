import { Command, CommanderError } from 'commander';
import type { Terminal } from '#adapters/cli/terminal.ts';
import { exitCodes } from '#adapters/cli/user-acts.ts';
import type { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import type { ManageReactions, ShownReaction } from '#application/reactions/manage-reactions.ts';
import { runsText } from '#application/reactions/reaction-outcomes.ts';
import { statusLine } from '#domain/reaction-notes/reaction-note.ts';
import { visibleText } from '#domain/shared/visible-text.ts';
import { nearestName } from '#domain/text/nearest-name.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The dependencies of an opened database; `reactions` is null when notes are not stored in a vault. */
export type OpenReactions = Readonly<{
  reactions: ManageReactions | null;
  switches: Pick<BuiltInSwitches, 'list'>;
  close(): Promise<void>;
}>;

/** The command's dependencies; `open` is called when a subcommand runs, not for `--help`. */
type ReactionsCommandDependencies = Readonly<{
  open: () => Promise<OpenReactions>;
  terminal: Pick<Terminal, 'say' | 'complain'>;
}>;

type Said = Readonly<{ text: string; isFine: boolean }>;
type Run = (open: OpenReactions) => Promise<Said>;

/** Runs `reactions list|check|dry-run` with the arguments after the program's name; returns the exit code. */
export async function runReactionsCommand(
  args: readonly string[],
  { open, terminal }: ReactionsCommandDependencies,
): Promise<number> {
  let code: number = exitCodes.done;
  const within = async (run: Run): Promise<void> => {
    const opened = await open();
    try {
      const { text, isFine } = await run(opened);
      if (!isFine) code = exitCodes.refused;
      terminal.say(visibleText(text));
    } finally {
      await opened.close();
    }
  };
  try {
    await program(within, terminal).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  return code;
}

function program(within: (run: Run) => Promise<void>, { say, complain }: Pick<Terminal, 'say' | 'complain'>): Command {
  const all = new Command(commandLine('reactions'))
    .description('Reactions: those written as notes, and the built-in ones')
    .exitOverride()
    .configureOutput({ writeOut: (text) => say(text.trimEnd()), writeErr: (text) => complain(text.trimEnd()) });
  all
    .command('list')
    .description('Lists all reactions, with what they have done')
    .action(() => within(list));
  all
    .command('check')
    .description('Lists every error in every reaction, with its line')
    .action(() => within((open) => withWritten(open, check)));
  all
    .command('dry-run')
    .description('Shows what a reaction would have done for the last matching deliveries, without doing it')
    .argument('<path>', 'the path of the reaction in the vault, such as Reactions/won.md')
    .action((path: string) => within((open) => withWritten(open, (written) => dryRun(written, path))));
  return all;
}

async function list({ reactions, switches }: OpenReactions): Promise<Said> {
  const written = (await reactions?.list()) ?? [];
  const lines = (await switches.list()).map(
    ({ name, isOn, title, does }) => `${name}  built in, ${isOn ? 'on' : 'off'}  ${title}: ${does}`,
  );
  const text = [...lines, ...written.map(lineOf)].join('\n');
  return reactions === null || reactions.isRead
    ? { text, isFine: true }
    : { text: `${text}\n${unread}`, isFine: false };
}

async function check(reactions: ManageReactions): Promise<Said> {
  const all = await reactions.list();
  if (!reactions.isRead) return { text: unread, isFine: false };
  const faults = all.flatMap(({ path, faults: of }) => of.map(({ line, message }) => `${path}:${line}: ${message}`));
  if (faults.length > 0) return { text: faults.join('\n'), isFine: false };
  const count = all.length === 1 ? 'One reaction is' : `${all.length} reactions are`;
  return { text: all.length === 0 ? 'There are no reactions.' : `${count} valid.`, isFine: true };
}

async function dryRun(reactions: ManageReactions, path: string): Promise<Said> {
  const shown = await reactions.show(path);
  if (!reactions.isRead) return { text: unread, isFine: false };
  if (shown === null) {
    const near = nearestName(
      path,
      (await reactions.list()).map((one) => one.path),
    );
    return { text: `There is no reaction ${path}.${near === null ? '' : ` Did you mean ${near}?`}`, isFine: false };
  }
  const tried = await reactions.try(path);
  if (tried === null) return { text: `${path}, ${statusLine(shown)}`, isFine: false };
  const lines = tried.map(({ seq, event, changes, ending }) =>
    [`${seq ?? 'schedule'}  ${event}: ${ending}`, ...changes].join('\n'),
  );
  return { text: lines.join('\n\n') || 'No matching delivery has arrived yet.', isFine: true };
}

async function withWritten(
  { reactions }: OpenReactions,
  run: (reactions: ManageReactions) => Promise<Said>,
): Promise<Said> {
  return reactions === null ? none : run(reactions);
}

const none: Said = {
  text: 'This server does not write notes into a vault, so there are no reactions.',
  isFine: false,
};
const unread = 'The reactions could not be read: the vault did not answer.';

function lineOf(shown: ShownReaction): string {
  const { path, reaction, count } = shown;
  const done = count === null ? 'has not run' : `${runsText(count)}, last: ${count.outcome}`;
  return [path, reaction?.mode ?? 'faulty', reaction === null ? statusLine(shown) : done]
    .join('  ')
    .replaceAll('\n', ' ');
}
