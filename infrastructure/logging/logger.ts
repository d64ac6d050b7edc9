import { Buffer } from 'node:buffer';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { z } from 'zod';

/**
 * Opens the structured log: JSON lines to standard error or `stream`; pretty-printed when standard error is a terminal.
 * `level` is a pino level. Secrets are redacted by field name. Standard output stays free for protocols. Lines are
 * buffered for up to 20 ms, and flushed when the process exits.
 */
export function openLogger(level: string, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // `redacted` has already converted errors to plain objects.
    serializers: { err: (members: unknown) => members },
    timestamp,
    formatters: { level: (label: string) => ({ level: label }), log: redacted },
  };
  if (stream !== undefined) return pino(options, stream);
  if (!process.stderr.isTTY) return pino(options, standardError());
  return pino({
    ...options,
    // A transport does not allow a formatter of levels.
    formatters: { log: redacted },
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ...terminalFormat },
    },
  });
}

/** How a line is written to a terminal: on one line, so that requests do not push the banner away. */
export const terminalFormat = { ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true } as const;

/**
 * Standard error with buffering: flushed at 16,000 bytes, or 20 ms after the first line. A timer runs only while there
 * are buffered lines, since a fixed flush interval would wake an idle process 50 times a second. Lines are buffered as
 * bytes: as texts, all that is buffered would be copied for each line, to know its length.
 */
function standardError(): DestinationStream & Readonly<{ flushSync(): void }> {
  const stream = destination({ dest: 2, sync: false, minLength: 16_000, contentMode: 'buffer' });
  const bytes = takesBytes.parse(stream);
  let hasLines = false;
  let isAwaited = false;
  const flush = (): void => {
    isAwaited = false;
    stream.flush();
  };
  const flushSoon = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    setTimeout(flush, flushMs).unref();
  };
  // Lines that arrived during a write are still buffered.
  stream.on('drain', () => {
    if (hasLines) flushSoon();
    hasLines = false;
  });
  return {
    write: (line) => {
      hasLines = true;
      bytes.write(Buffer.from(line));
      flushSoon();
    },
    flushSync: () => stream.flushSync(),
  };
}

/** A stream in this mode, of which its types say that it takes text. */
const takesBytes = z.custom<Readonly<{ write(bytes: Uint8Array): unknown }>>();

/** How long a line is buffered, in ms. */
const flushMs = 20;

/** Returns the member `time` of a line; cached, since many lines share a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== madeFor) {
    madeFor = now;
    made = `,"time":"${new Date(now).toISOString()}"`;
  }
  return made;
}

let madeFor = 0;
let made = '';

/**
 * The names of fields that may hold a secret; their values are redacted in the first three levels of a logged object.
 */
export const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'api_key',
  'api_token',
]);

const deepest = 3;

/**
 * Replaces secrets in the fields of a log line by `[redacted]`. Returns the object itself when it is flat and has none,
 * as most are: pino's own redaction by wildcards costs more than the rest of a line.
 */
function redacted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return needsCopy(fields) ? copied(fields, 1) : fields;
}

function needsCopy(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).some(
    ([name, value]) => secretNames.has(name) || (typeof value === 'object' && value !== null),
  );
}

function copied(fields: Readonly<Record<string, unknown>>, level: number, isError = false): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    // An error's `code` is a constant such as ECONNRESET.
    const isSecret = secretNames.has(name) && !(isError && name === 'code');
    copy[name] = isSecret ? '[redacted]' : within(value, level);
  }
  return copy;
}

function within(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null || level >= deepest) return value;
  if (value instanceof Error) return copied(errorMembers(value), level + 1, true);
  return Array.isArray(value) ? value.map((entry) => within(entry, level + 1)) : copied({ ...value }, level + 1);
}

function errorMembers(error: Error): Record<string, unknown> {
  const { message, stack, cause } = error;
  const members = { ...Object.fromEntries(Object.entries(error)), type: error.constructor.name, message, stack };
  return cause instanceof Error ? { ...members, cause: [cause.message, cause.stack] } : members;
}
