import type { HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';
import { refusedAddressCode } from '#infrastructure/http/reach.ts';

/** The error of a cancelled request. */
export const aborted: HttpError = { kind: 'error', reason: 'aborted', message: 'The request was cancelled.' };

/** Converts what a request threw; rethrows what is not an error of the network or the server. */
export function errorOf(error: unknown, request: HttpRequest): HttpError {
  if (request.signal?.aborted === true) return aborted;
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (error.name === 'TimeoutError') {
    return { kind: 'error', reason: 'timeout', message: `There was no whole answer within ${request.timeoutMs} ms.` };
  }
  return error.code === refusedAddressCode ? refusedError(error.message) : networkError(String(error.code));
}

/** Creates the error of a request whose destination address is not allowed. */
export const refusedError = (message: string): HttpError => ({ kind: 'error', reason: 'address', message });

/** Creates what a request throws when its answer ends too early. */
export const cutOffError = (): Error => Object.assign(new Error('The answer was cut off.'), { code: 'ECONNRESET' });

const networkError = (code: string): HttpError => ({
  kind: 'error',
  reason: 'network',
  message: `The connection failed (${code}).`,
  code,
});
