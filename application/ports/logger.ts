/** Writes structured log lines. Fields never carry secrets, tokens, cookies or bodies (conventions 24). */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Returns a logger whose lines all carry these fields. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}
