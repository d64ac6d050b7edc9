/** Where a command speaks and listens. */
export type Terminal = Readonly<{
  /** Standard output: results. */
  say(text: string): void;
  /** Standard error: faults and hints. */
  complain(text: string): void;
  /** A new password; null when the person gave up. `fault` says what is wrong with one, or null. */
  newPassword(fault: (password: string) => string | null): Promise<string | null>;
}>;
