import { Command, CommanderError } from 'commander';
import type { Terminal } from '#adapters/cli/terminal.ts';
import {
  type Act,
  type Dependencies,
  type ExitCode,
  exitCodes,
  sayDone,
  sayRefused,
  type UserCommands,
  type UserStore,
} from '#adapters/cli/user-acts.ts';
import { leavingCommands } from '#adapters/cli/user-leaving.ts';
import { failureText, meant, rightsText, userTable } from '#adapters/cli/user-texts.ts';
import { AddUser } from '#application/users/add-user.ts';
import { ChangeRights } from '#application/users/change-rights.ts';
import { findUser } from '#application/users/find-user.ts';
import { rightsDetail } from '#application/users/manage-users.ts';
import { SetPassword } from '#application/users/set-password.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { nearest } from '#domain/text/nearest.ts';
import { passwordErrorOf } from '#domain/users/password.ts';
import { userStateOf } from '#domain/users/user-state.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The command's dependencies; `services` are the services of the configuration, which help names. */
type UserCommandDependencies = Readonly<{
  open: () => Promise<UserStore>;
  terminal: Terminal;
  services: readonly ServiceKey[];
}>;

/** Runs `user add|list|permit|revoke|password|link|sign-out|deactivate|activate|disconnect|delete` with the arguments after the program's name; returns the exit code. */
export async function runUserCommand(
  args: readonly string[],
  { open, terminal, services }: UserCommandDependencies,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const within = async (act: Act): Promise<void> => {
    const store = await open();
    try {
      code = await act(store);
    } finally {
      await store.close();
    }
  };
  try {
    await userProgram({ within, terminal, services }).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  return code;
}

type AdminOption = Readonly<{ admin?: true }>;

const permissionsText = (services: readonly ServiceKey[]): string =>
  `permissions: ${services.join(', ')}, the keys of added MCP servers, or all`;

function userProgram({ within, terminal, services }: UserCommands): Command {
  const program = new Command(commandLine('user'))
    .description('The people who can sign in. Changes reach a running server within a second.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.say(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
    })
    .showHelpAfterError('(--help shows how)');
  const dependencies = { program, within, terminal, services };
  addCommand(dependencies);
  program
    .command('list')
    .description('shows all users and what they may do')
    .option('--json', 'as JSON')
    .action(({ json }: Readonly<{ json?: true }>) => within((store) => list(store, terminal, json === true)));
  rightsCommand(dependencies, 'permit', 'gives permissions');
  rightsCommand(dependencies, 'revoke', 'takes permissions away');
  passwordCommand(dependencies);
  linkCommand(dependencies);
  program
    .command('sign-out <e-mail>')
    .description('ends all sessions, in browsers and MCP clients')
    .action((email: string) => within((store) => signOut(store, terminal, email)));
  leavingCommands(dependencies);
  return program;
}

function addCommand({ program, within, terminal, services }: Dependencies): void {
  program
    .command('add <e-mail> [permissions...]')
    .description('adds a user; the password is asked for, or read from standard input')
    .option('--admin', 'makes the user an administrator')
    .addHelpText('after', `\n${permissionsText(services)}`)
    .action((email: string, words: string[], { admin }: AdminOption) => {
      return within((store) => {
        const rights = { permissions: readPermissions(program, words, store.services), isAdmin: admin === true };
        return add(store, terminal, { email, ...rights });
      });
    });
}

function rightsCommand(
  { program, within, terminal, services }: Dependencies,
  change: 'permit' | 'revoke',
  summary: string,
): void {
  program
    .command(`${change} <e-mail> [permissions...]`)
    .description(summary)
    .option('--admin', 'also the administrator flag')
    .addHelpText('after', `\n${permissionsText(services)}`)
    .action((email: string, words: string[], { admin }: AdminOption) => {
      if (words.length === 0 && admin !== true) {
        program.error(`error: ${change} what? ${permissionsText(services)}; or --admin`);
      }
      return within(async ({ users, note, services: all }) => {
        const rights = { do: change, permissions: readPermissions(program, words, all), isAdmin: admin === true };
        const changed = await new ChangeRights(users, all).run(email, rights);
        if (!changed.ok) return sayRefused(terminal, failureText(email, changed.failure));
        const { id: userId } = changed.value;
        await note({ action: 'user.rights_changed', by: null, userId, detail: rightsDetail(changed.value) });
        return sayDone(terminal, `${changed.value.email}: ${rightsText(changed.value)}`);
      });
    });
}

function passwordCommand({ program, within, terminal }: Dependencies): void {
  program
    .command('password <e-mail>')
    .description('sets a new password, asked for or read from standard input; ends all sessions')
    .allowExcessArguments()
    .action((email: string, _: unknown, { args }: Command) => {
      // Commander's own error message would print what may be the password.
      if (args.length > 1) {
        program.error('error: do not pass the password as an argument: other users could see it in the process list');
      }
      return within((store) => setPassword(store, terminal, email));
    });
}

function linkCommand({ program, within, terminal }: Dependencies): void {
  program
    .command('link <e-mail>')
    .description('prints a link that signs the user in once within an hour, also while single sign-on does not answer')
    .action((email: string) =>
      within(async ({ users, linkFor }) => {
        const found = await findUser(users, email);
        if (!found.ok) return sayRefused(terminal, failureText(email, found.failure));
        if (!isActive(found.value))
          return sayRefused(terminal, `${found.value.email} is deactivated. Run activate first.`);
        const link = await linkFor(found.value);
        return link === null ? sayRefused(terminal, 'The link could not be made.') : sayDone(terminal, link);
      }),
    );
}

async function add(
  { users, passwords, note }: UserStore,
  terminal: Terminal,
  account: Readonly<{ email: string; permissions: readonly ServiceKey[]; isAdmin: boolean }>,
): Promise<ExitCode> {
  const { email } = account;
  const addUser = new AddUser(users, passwords);
  const error = await addUser.emailError(email);
  if (error !== null) return sayRefused(terminal, failureText(email, error));
  const password = await terminal.newPassword((given) => passwordError(email, given));
  if (password === null) return exitCodes.cancelled;
  const added = await addUser.run({ ...account, password });
  if (!added.ok) return sayRefused(terminal, failureText(email, added.failure));
  const { id: userId } = added.value;
  await note({ action: 'user.invited', by: null, userId, detail: rightsDetail(added.value) });
  return sayDone(terminal, `Added ${email} as user ${added.value.id}: ${rightsText(added.value)}`);
}

async function list({ users, automationUserId }: UserStore, terminal: Terminal, asJson: boolean): Promise<ExitCode> {
  const all = await users.list();
  if (asJson) {
    const shown = all.map((user) => {
      const { id, email, name = null, permissions, isAdmin: is_admin } = user;
      const state = userStateOf(user);
      const marks = { is_active: isActive(user), is_automation_user: id === automationUserId };
      return { id, email, name, permissions, is_admin, state, ...marks };
    });
    return sayDone(terminal, JSON.stringify(shown, null, 2));
  }
  if (all.length === 0) return sayDone(terminal, 'There are no users yet. Add one with the command add.');
  return sayDone(terminal, userTable(all, automationUserId));
}

async function setPassword(
  { users, passwords, signOutEverywhere, note }: UserStore,
  terminal: Terminal,
  email: string,
): Promise<ExitCode> {
  const found = await findUser(users, email);
  if (!found.ok) return sayRefused(terminal, failureText(email, found.failure));
  const password = await terminal.newPassword((given) => passwordError(email, given));
  if (password === null) return exitCodes.cancelled;
  const set = await new SetPassword(users, passwords, signOutEverywhere).run(email, password);
  if (!set.ok) return sayRefused(terminal, failureText(email, set.failure));
  await note({ action: 'user.password_set', by: null, userId: set.value.id });
  return sayDone(terminal, `${set.value.email} has a new password and is signed out everywhere.`);
}

async function signOut(
  { users, signOutEverywhere, note }: UserStore,
  terminal: Terminal,
  email: string,
): Promise<ExitCode> {
  const found = await findUser(users, email);
  if (!found.ok) return sayRefused(terminal, failureText(email, found.failure));
  await signOutEverywhere.run(found.value.id);
  await note({ action: 'user.signed_out', by: null, userId: found.value.id });
  return sayDone(terminal, `${found.value.email} is signed out everywhere.`);
}

/** Parses the permissions given as arguments; `all` grants every one. Any unknown word is a usage error. */
function readPermissions(
  program: Command,
  words: readonly string[],
  services: readonly ServiceKey[],
): readonly ServiceKey[] {
  const wrong = words.find((word) => word !== 'all' && !services.some((key) => key === word));
  if (wrong !== undefined) {
    const near = nearest(wrong, services);
    const hint = near.length === 0 ? '' : ` ${meant(near)}`;
    program.error(`error: ${wrong} is not a permission: ${services.join(', ')}, or all.${hint}`);
  }
  return words.includes('all') ? services : services.filter((key) => words.includes(key));
}

function passwordError(email: string, password: string): string | null {
  const reason = passwordErrorOf(password);
  return reason === null ? null : failureText(email, { reason });
}
