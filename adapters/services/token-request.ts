import type { OAuthApp, OAuthFacts } from '#adapters/services/oauth-facts.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpAnswer, HttpError } from '#infrastructure/http/http-messages.ts';

/** The form fields of a token request. */
export type TokenFields = Readonly<Record<string, string>>;

/** A token request: its endpoint, app and fields. */
export type TokenQuestion = Readonly<{ facts: OAuthFacts; app: OAuthApp; tokenUrl: string; fields: TokenFields }>;

const timeoutMs = 20_000;
const maxBytes = 256 * 1024;

/** Sends a token request to a provider, with the client's credentials where that provider expects them. */
export async function askForTokens(
  http: Pick<HttpClient, 'send'>,
  { facts, app, tokenUrl, fields }: TokenQuestion,
): Promise<HttpAnswer | HttpError> {
  return http.send({
    method: 'POST',
    url: tokenUrl,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...basic(facts, app),
    },
    body: new URLSearchParams(fields).toString(),
    timeoutMs,
    maxBytes,
  });
}

/** Parses the JSON of an answer; null when it is not JSON. */
export function bodyOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

function basic(facts: OAuthFacts, app: OAuthApp): TokenFields {
  if (facts.clientAuthentication === 'body') return {};
  // RFC 6749 §2.3.1: each part is form-encoded before it is joined.
  const pair = `${encodeURIComponent(app.clientId)}:${encodeURIComponent(app.clientSecret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
