import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { jsonOrNull } from '#domain/json/json-data.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import { retryAfterMs } from '#infrastructure/http/retry.ts';

/** The limits of a request to an authorization server, and of its answer. */
const bounds = { timeoutMs: 10_000, maxBytes: 262_144 } as const;
/** The maximum length of an address that a server names. */
const maxAddress = 2_048;
/** The most requests that one step of a flow sends: discovery tries a handful of addresses. */
const maxRequests = 12;

/**
 * What went wrong with the requests of one step: an address that is not used (`refused`), a server that cannot be
 * reached (`unavailable`), or an answer that is an error (`answered`).
 */
export type FetchTrouble = Readonly<
  { message: string } & (
    | { kind: 'refused' | 'unavailable' }
    | { kind: 'answered'; status: number; body: unknown; retryAfterMs: number | null }
  )
>;

/** A `fetch` for addresses that a remote server names, and what went wrong last; null while nothing did. */
export type JudgedFetch = Readonly<{ fetch: FetchLike; trouble: () => FetchTrouble | null }>;

/**
 * Judges an address that a remote server names. Private addresses are reached only on the host that the administrator
 * gave, and plain HTTP only there, if the server itself is reached so. Returns the client that keeps to that, or why
 * the address is not used.
 */
export function clientForNamed(http: HttpClient, address: string, serverUrl: string): Result<HttpClient, string> {
  const [url, server] = [URL.parse(address), new URL(serverUrl)];
  if (url === null || address.length > maxAddress) return err('is not an address');
  if (url.username !== '' || url.password !== '' || url.hash !== '') return err('has user info or a fragment');
  const isGivenHost = url.hostname === server.hostname;
  const isPlain = url.protocol === 'http:' && server.protocol === 'http:' && isGivenHost;
  if (url.protocol !== 'https:' && !isPlain) return err('does not begin with https://');
  return ok(http.within(isGivenHost ? 'private' : 'public'));
}

/** Creates a `fetch` that judges each address, follows no redirect, limits time, size and number, and notes what went wrong. */
export function judgedFetch(http: HttpClient, serverUrl: string, now: () => number): JudgedFetch {
  let trouble: FetchTrouble | null = null;
  let sent = 0;
  const failed = (found: FetchTrouble): Error => {
    trouble = found;
    return new Error(found.message);
  };
  const fetch: FetchLike = async (address, init) => {
    const { href, host } = new URL(address);
    const client = clientForNamed(http, href, serverUrl);
    if (!client.ok) throw failed({ kind: 'refused', message: `The address ${shown(href)} ${client.failure}.` });
    sent += 1;
    if (sent > maxRequests) throw failed({ kind: 'refused', message: 'It takes too many requests.' });
    const answer = await client.value.send({
      method: init?.method === 'POST' ? 'POST' : 'GET',
      url: href,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...bodyOf(init?.body),
      ...bounds,
    });
    if (answer.kind === 'error') {
      const kind = answer.reason === 'address' || answer.reason === 'too_large' ? 'refused' : 'unavailable';
      throw failed({ kind, message: `${host}: ${answer.message}` });
    }
    const { status, headers } = answer;
    if (status >= 300 && status < 400) {
      throw failed({ kind: 'refused', message: `${host} redirects elsewhere, which is not followed.` });
    }
    const text = Buffer.from(answer.body).toString('utf8');
    if (status >= 400) {
      const [message, body] = [`${host} answered ${status}.`, jsonOrNull(text)];
      trouble = { kind: 'answered', status, message, body, retryAfterMs: retryAfterMs(headers, now()) };
    }
    const hasBody = ![204, 205, 304].includes(status) && status >= 200 && status <= 599;
    return new Response(hasBody ? text : null, { status: hasBody ? status : 204, headers: namedHeaders(headers) });
  };
  return { fetch, trouble: () => trouble };
}

const shown = (address: string): string => address.slice(0, 200);

/** The body was decoded already, so only its type and the challenge are passed on. */
function namedHeaders({ 'content-type': type, 'www-authenticate': challenge }: Readonly<Record<string, string>>) {
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge.slice(0, maxAddress) }),
  };
}

function bodyOf(body: unknown): Readonly<{ body?: string }> {
  return typeof body === 'string' || body instanceof URLSearchParams ? { body: String(body) } : {};
}
