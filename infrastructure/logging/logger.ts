import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { redacted } from '#infrastructure/logging/redact.ts';

/**
 * Opens the structured log: JSON lines on standard error, or `stream`; pretty when standard error is a terminal. `level` is
 * a pino level. Secrets are redacted by name. Standard output stays free for protocols. Lines are written in the
 * background, after 20 ms or several at a time, and the rest is written when the process ends.
 */
export function openLogger(level: string, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // `redacted` has made a plain object of an error already.
    serializers: { err: (members: unknown) => members },
    timestamp,
    formatters: { level: (label: string) => ({ level: label }), log: redacted },
  };
  if (stream !== undefined) return pino(options, stream);
  if (!process.stderr.isTTY)
    return pino(options, destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: flushMs }));
  return pino({
    ...options,
    // A transport does not allow a formatter of levels.
    formatters: { log: redacted },
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  });
}

/** How long a line waits for others, in ms. */
const flushMs = 20;

/** The member `time` of a line. Many lines are of one millisecond: its text is made once. */
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
