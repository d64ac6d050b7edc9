import type { Command } from 'commander';
import type { Terminal } from '#adapters/cli/terminal.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Users } from '#application/ports/users.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import type { ManageUsers } from '#application/users/manage-users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** The command's stores and use cases; opened when a subcommand runs, not for `--help`. */
export type UserStore = Readonly<{
  users: Users;
  passwords: Passwords;
  signOutEverywhere: SignOutEverywhere;
  /** Opens what acts on connections too, which takes longer. */
  managing: () => Promise<Managing>;
  note: NoteAct;
  /** The services of the server: those of its configuration, and the MCP servers that administrators added. */
  services: readonly ServiceKey[];
  automationUserId: number;
  /** Returns a link that signs the user in once; null when there is none. */
  linkFor(user: User): Promise<string | null>;
  close(): Promise<void>;
}>;

/** What deactivates, deletes and disconnects users. */
export type Managing = Readonly<{
  manage: Pick<ManageUsers, 'change' | 'deactivate' | 'remove'>;
  /** Whether the connection was revoked at the provider; null when there was none. */
  disconnect: (userId: number, service: ServiceKey) => Promise<boolean | null>;
  close(): Promise<void>;
}>;

/** Exit codes: success, rejected, usage error, cancelled at a prompt. */
export const exitCodes = { done: 0, refused: 1, usage: 2, cancelled: 130 } as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
/** What a subcommand does with the opened stores. */
export type Act = (store: UserStore) => Promise<ExitCode>;

/** How subcommands open the stores and talk. */
export type UserCommands = Readonly<{
  within: (act: Act) => Promise<void>;
  terminal: Terminal;
  /** The services of the configuration, which help names. */
  services: readonly ServiceKey[];
}>;
/** What subcommands are defined with. */
export type Dependencies = UserCommands & Readonly<{ program: Command }>;

/** Says what was done. */
export function sayDone(terminal: Terminal, text: string): ExitCode {
  terminal.say(text);
  return exitCodes.done;
}

/** Says why nothing was done. */
export function sayRefused(terminal: Terminal, text: string): ExitCode {
  terminal.complain(text);
  return exitCodes.refused;
}
