import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/** What a `FetchLike` of one remote server needs: its address, the credentials of now, and bounds. */
export type OwnFetchOptions = Readonly<{
  url: string;
  /** The bearer token; '' for none. */
  bearer: () => string;
  /** The maximum length of an answer, or of one event of a stream, in bytes. */
  maxBytes: number;
  /** Is called when an answer is longer, with the reason. */
  onTooLarge: () => void;
  /** Is called with what a 401 or 403 says in `WWW-Authenticate`. */
  onChallenge: (challenge: string) => void;
}>;

/**
 * Fetches for one remote server: only from the origin of its address, so that its bearer token goes nowhere else and no
 * other address can be named by it. Redirects are not followed, and answers are bounded.
 */
export function ownFetch({ url: given, bearer, maxBytes, onTooLarge, onChallenge }: OwnFetchOptions): FetchLike {
  const { origin } = new URL(given);
  return async (address, init = {}) => {
    const url = new URL(address);
    if (url.origin !== origin) throw new Error(`The server names another address: ${url.origin}.`);
    const headers = new Headers(init.headers);
    headers.delete('authorization');
    const token = bearer();
    if (token !== '') headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const challenge = response.headers.get('www-authenticate');
    if (challenge !== null && (response.status === 401 || response.status === 403)) {
      onChallenge(challenge.slice(0, maxChallenge));
    }
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Error('The server redirects elsewhere; redirects are not followed. Use the address that it names.');
    }
    return response.body === null ? response : bounded(response, response.body, maxBytes, onTooLarge);
  };
}

/** The maximum length of a challenge that is kept, in characters. */
const maxChallenge = 2_000;

/** The same answer with a body that ends in an error at the limit; in a stream of events the limit is for each. */
function bounded(response: Response, body: ReadableStream<Uint8Array>, maxBytes: number, onTooLarge: () => void) {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const end = isStream
        ? Math.max(Buffer.from(chunk).lastIndexOf('\n\n'), Buffer.from(chunk).lastIndexOf('\r\n\r\n'))
        : -1;
      size = end === -1 ? size + chunk.length : chunk.length - end;
      if (size <= maxBytes) return controller.enqueue(chunk);
      onTooLarge();
      controller.error(new Error('The answer is too large.'));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body.pipeThrough(counted), { status, statusText, headers });
}
