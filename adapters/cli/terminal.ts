/** Where a command speaks and listens. */
export type Terminal = Readonly<{
  /** Standard output: results. */
  say(text: string): void;
  /** Standard error: errors and hints. */
  complain(text: string): void;
  /** A new password; null when the person gave up. `error` says what is wrong with one, or null. */
  newPassword(error: (password: string) => string | null): Promise<string | null>;
}>;
