import type { HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';
import { refusedAddressCode } from '#infrastructure/http/reach.ts';

/** Creates the error of a cancelled request. */
export const abortedError = (sent: HttpError['sent']): HttpError => ({
  kind: 'error',
  reason: 'aborted',
  message: 'The request was cancelled.',
  sent,
});

/** Creates the error of a request whose answer did not arrive in time. */
export const lateError = ({ timeoutMs }: HttpRequest, sent: HttpError['sent']): HttpError => ({
  kind: 'error',
  reason: 'timeout',
  message: `There was no whole answer within ${timeoutMs} ms.`,
  sent,
});

/** Creates the error of a request whose answer was larger than its limit. */
export const tooLargeError = (maxBytes: number): HttpError => ({
  kind: 'error',
  reason: 'too_large',
  message: `The answer is larger than ${maxBytes} bytes.`,
  sent: 'unknown',
});

/** Converts what a request threw; rethrows what is not an error of the network or the server. */
export function networkErrorOf(error: unknown, request: HttpRequest, sent: HttpError['sent']): HttpError {
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (error.name === 'TimeoutError') return lateError(request, sent);
  return error.code === refusedAddressCode ? refusedError(error.message) : networkError(String(error.code), sent);
}

/** Creates the error of a request whose destination address is not allowed. */
export const refusedError = (message: string): HttpError => ({ kind: 'error', reason: 'address', message, sent: 'no' });

/** Creates what a request throws when its answer ends too early. */
export const cutOffError = (): Error => Object.assign(new Error('The answer was cut off.'), { code: 'ECONNRESET' });

const networkError = (code: string, sent: HttpError['sent']): HttpError => ({
  kind: 'error',
  reason: 'network',
  message: `The connection failed (${code}).`,
  code,
  sent,
});
