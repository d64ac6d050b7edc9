import type { CodeExchange } from '#domain/oauth/authorization-code.ts';
import { singleValue } from '#domain/oauth/authorization-request.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A token request that is rejected before its code is checked (RFC 6749 §5.2, RFC 8707 §2). */
export type TokenRequestError = Readonly<{
  error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_target';
  description: string;
}>;

type Credentials = Readonly<{ clientId: string; clientSecret: string | null }>;

/**
 * Parses a token request. The client's id and secret come in the body or by Basic authentication, not both. A missing
 * redirect URI or verifier is left to the code exchange, which has the error for it (TOKEN-005, TOKEN-006).
 */
export function readTokenRequest(
  fields: URLSearchParams,
  authorization: string | undefined,
  isOwnResource: (resource: string) => boolean,
): Result<CodeExchange & Readonly<{ code: string }>, TokenRequestError> {
  const names = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'client_id', 'client_secret'];
  const values = names.map((name) => singleValue(fields.getAll(name)));
  const repeated = values.findIndex((value) => !value.ok);
  if (repeated !== -1) return error('invalid_request', `${names[repeated]} is given more than once`);
  const [grantType = null, code = null, redirectUri = null, codeVerifier = null, clientId = null, clientSecret = null] =
    values.map((value) => (value.ok ? value.value : null));
  if (grantType === null) return error('invalid_request', 'grant_type is missing');
  if (grantType !== 'authorization_code') {
    return error('unsupported_grant_type', 'grant_type must be authorization_code');
  }
  if (!fields.getAll('resource').every((resource) => resource === '' || isOwnResource(resource))) {
    return error('invalid_target', 'resource is not a resource of this server');
  }
  const credentials = readCredentials({ clientId, clientSecret }, authorization);
  if (!credentials.ok) return credentials;
  if (code === null) return error('invalid_request', 'code is missing');
  return ok({ ...credentials.value, code, redirectUri, codeVerifier });
}

function readCredentials(
  body: Readonly<{ clientId: string | null; clientSecret: string | null }>,
  authorization: string | undefined,
): Result<Credentials, TokenRequestError> {
  const basic = authorization === undefined ? null : readBasic(authorization);
  if (basic === null) {
    if (body.clientId === null) return error('invalid_request', 'client_id is missing');
    return ok({ clientId: body.clientId, clientSecret: body.clientSecret });
  }
  if (body.clientSecret !== null) return error('invalid_request', 'the client authenticates in two ways at once');
  if (body.clientId !== null && body.clientId !== basic.clientId) {
    return error('invalid_request', 'client_id differs from the one in the Authorization header');
  }
  return ok(basic);
}

/**
 * Decodes Basic credentials, whose id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). Null when
 * the header is not Basic.
 */
function readBasic(authorization: string): Credentials | null {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return null;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const secret = rest.join(':');
  return { clientId: decodeField(id), clientSecret: secret === '' ? null : decodeField(secret) };
}

function decodeField(text: string): string {
  return new URLSearchParams(`field=${text.replaceAll('&', '%26')}`).get('field') ?? '';
}

function error(error: TokenRequestError['error'], description: string) {
  return err({ error, description });
}
