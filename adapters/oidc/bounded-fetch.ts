import type { CustomFetch } from 'openid-client';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpRequest } from '#infrastructure/http/http-messages.ts';

/** The limits of a request to the identity provider, and of its answer. */
const bounds = { timeoutMs: 10_000, maxBytes: 524_288 } as const;

/** Why the requests of one sign-in got no usable answer; null while all did. */
export type ProviderTrouble = Readonly<{ message: string }>;

/** A `fetch` for the identity provider, with what went wrong. */
export type BoundedFetch = Readonly<{ fetch: CustomFetch; trouble: () => ProviderTrouble | null }>;

/** Creates a `fetch` that limits the time and size of answers, follows no redirect, and notes what went wrong. */
export function boundedFetch(http: Pick<HttpClient, 'send'>): BoundedFetch {
  let trouble: ProviderTrouble | null = null;
  const fetch: CustomFetch = async (url, { method, headers, body }) => {
    const { pathname } = new URL(url);
    const answer = await http.send({ method: methodOf(method), url, headers, ...bodyOf(body), ...bounds });
    if (answer.kind === 'error') {
      trouble = { message: `${pathname}: ${answer.message}` };
      throw new TypeError(answer.message);
    }
    if (answer.status >= 500) trouble = { message: `${pathname} answered ${answer.status}` };
    const { status } = answer;
    // Not allowed in a Response, and of no use here either.
    if (status < 200 || status > 599) throw new TypeError(`${pathname} answered ${status}`);
    const content = [204, 205, 304].includes(status) ? null : Buffer.from(answer.body);
    return new Response(content, { status, headers: contentHeaders(answer.headers) });
  };
  return { fetch, trouble: () => trouble };
}

/** The body was decoded already, so only its type is passed on. */
function contentHeaders({ 'content-type': type, 'www-authenticate': challenge }: Readonly<Record<string, string>>) {
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
  };
}

function methodOf(method: string): HttpRequest['method'] {
  if (method === 'GET' || method === 'POST') return method;
  throw new TypeError(`An unexpected method: ${method}`);
}

function bodyOf(body: Parameters<CustomFetch>[1]['body']): Pick<HttpRequest, 'body'> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string' || body instanceof URLSearchParams) return { body: String(body) };
  throw new TypeError('An unexpected body');
}
