/** Writes structured log lines. Fields must not contain secrets, tokens, cookies or bodies. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Returns a logger that adds these fields to every line. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}
