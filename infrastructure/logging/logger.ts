import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Where secrets could stand in a logged object; each is printed as `[redacted]`. Tested as a constant. */
export const redactedPaths = [
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
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * Structured logs: JSON lines on standard error, or `stream`; pretty when standard error is a terminal.
 * `level` is a pino level. Standard output stays free for protocols.
 */
export function openLogger(level: string, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (stream !== undefined) return pino(options, stream);
  if (!process.stderr.isTTY) return pino(options, destination(2));
  const { formatters: _, ...forTerminal } = options;
  return pino({
    ...forTerminal,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  });
}
