import { isGone, requestIdOf } from '#adapters/http/middleware/every-answer.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';

/** The codes of errors that mean that the client disconnected. */
const codesOfGone: readonly unknown[] = [
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
];

/**
 * Logs an error of a connection. That a client disconnects is its own affair, and happens to every phone: it is logged at
 * debug level, without the error.
 */
export function logConnectionFailure(
  logger: Logger,
  error: unknown,
  visit: Pick<Visit, 'req' | 'method' | 'path' | 'state'>,
): void {
  const request = { requestId: requestIdOf(visit), method: visit.method, path: visit.path };
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (isGone(visit.req) || codesOfGone.includes(code)) logger.debug({ ...request, code }, 'Client disconnected');
  else logger.warn({ ...request, err: error }, 'Connection failed');
}
