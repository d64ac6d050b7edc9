/** The input and output of a command. */
export type Terminal = Readonly<{
  /** Prints results to standard output. */
  say(text: string): void;
  /** Prints errors and hints to standard error. */
  complain(text: string): void;
  /** Asks for a new password; null when the person cancels. `error` says what is wrong with one, or null. */
  newPassword(error: (password: string) => string | null): Promise<string | null>;
}>;
