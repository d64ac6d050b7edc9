import {
  type AuthorizationRequest,
  authorizationParameters,
  type RawAuthorization,
} from '#domain/oauth/authorization-request.ts';

/** The parameters of an authorization request from a query or a form. */
export function rawAuthorization(fields: URLSearchParams): RawAuthorization {
  const [client_id, redirect_uri, state, code_challenge, code_challenge_method, response_type, prompt] =
    authorizationParameters.map((name) => fields.getAll(name));
  return {
    client_id: client_id ?? [],
    redirect_uri: redirect_uri ?? [],
    state: state ?? [],
    code_challenge: code_challenge ?? [],
    code_challenge_method: code_challenge_method ?? [],
    response_type: response_type ?? [],
    prompt: prompt ?? [],
    resource: fields.getAll('resource'),
  };
}

/** The five parameters that the pages carry on as hidden fields (contract, GET /authorize); empty is "not given". */
export function carriedFields(request: AuthorizationRequest): Readonly<Record<string, string>> {
  return {
    client_id: request.client.id,
    redirect_uri: request.redirectUri,
    state: request.state ?? '',
    code_challenge: request.codeChallenge ?? '',
    code_challenge_method: request.codeChallenge === null ? '' : 'S256',
  };
}
