import type { OAuthApp, OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import { jsonOrNull } from '#domain/json/json-data.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
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

/** How long a provider may take to revoke tokens, in ms. */
const revocationTimeoutMs = 10_000;

/** Sends the request that revokes tokens; whether the provider accepted it. */
export async function sendRevocation(
  http: Pick<HttpClient, 'send'>,
  { facts, app, tokenUrl }: Omit<TokenQuestion, 'fields'>,
  tokens: Pick<TokenRecord, 'accessToken' | 'refreshToken'>,
): Promise<boolean> {
  if (facts.revocation === undefined) return false;
  const { method, url, fields } = facts.revocation(tokenUrl, tokens);
  const client =
    facts.clientAuthentication === 'body' ? { client_id: app.clientId, client_secret: app.clientSecret } : {};
  const isForm = Object.keys(fields).length > 0;
  const answer = await http.send({
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...basic(facts, app),
    },
    ...(isForm ? { body: new URLSearchParams({ ...fields, ...client }).toString() } : {}),
    timeoutMs: revocationTimeoutMs,
    maxBytes,
  });
  return answer.kind !== 'error' && answer.status >= 200 && answer.status < 300;
}

/** Parses the JSON of an answer; null when it is not JSON. */
export function bodyOf({ body }: HttpAnswer): unknown {
  return jsonOrNull(new TextDecoder().decode(body));
}

function basic(facts: OAuthFacts, app: OAuthApp): TokenFields {
  if (facts.clientAuthentication === 'body') return {};
  // RFC 6749 §2.3.1: each part is form-encoded before it is joined.
  const pair = `${encodeURIComponent(app.clientId)}:${encodeURIComponent(app.clientSecret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
