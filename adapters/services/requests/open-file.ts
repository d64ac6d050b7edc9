import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type {
  HttpAnswer,
  HttpError,
  HttpRequest,
  HttpStream,
  RetryBounds,
} from '#infrastructure/http/http-messages.ts';

/**
 * Opens a file. Providers store files elsewhere and redirect to them: one redirect is followed, without credentials, to
 * https or to the same origin, and not to a private address unless the provider itself has one.
 */
export async function openFile(
  client: HttpClient,
  request: HttpRequest,
  retries: RetryBounds,
): Promise<HttpAnswer | HttpStream | HttpError> {
  const result = await client.open(request, retries);
  if (result.kind !== 'answer' || result.status < 300 || result.status >= 400) return result;
  const place = fileAddress(result.headers['location'], request.url);
  if (place === null) return result;
  const next = isSameOrigin(place, request.url) ? client : await clientBehind(client, request.url);
  return next.open({ ...request, url: place, headers: {}, trust: true }, retries);
}

/** The HTTP client for a redirect: only a provider at a private address may redirect to one. */
async function clientBehind(client: HttpClient, provider: string): Promise<HttpClient> {
  if (client.reach === 'public') return client;
  const kind = await client.kindOf(provider);
  return client.within(kind === 'public' || kind === null ? 'public' : 'private');
}

/**
 * The target of a redirect, if it may be followed; else null: plain http on another origin, or an address with user
 * info.
 */
function fileAddress(location: string | undefined, from: string): string | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const url = new URL(location, from);
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url.protocol === 'https:' || isSameOrigin(url.href, from) ? url.href : null;
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}
