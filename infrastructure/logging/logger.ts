import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { redacted, redactedNames } from '#infrastructure/logging/redact.ts';

const hiding = { log: (fields: Record<string, unknown>) => redacted(fields) };

/**
 * Structured logs: JSON lines on standard error, or `stream`; pretty when standard error is a terminal.
 * `level` is a pino level. Standard output stays free for protocols.
 */
export function openLogger(level: string, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // Paths without wildcards cost nothing, and hold for the fields of a child, too.
    redact: { paths: [...redactedNames], censor: '[redacted]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), ...hiding },
  };
  if (stream !== undefined) return pino(options, stream);
  if (!process.stderr.isTTY) return pino(options, destination(2));
  const { formatters: _, ...forTerminal } = options;
  return pino({
    ...forTerminal,
    formatters: hiding,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  });
}
