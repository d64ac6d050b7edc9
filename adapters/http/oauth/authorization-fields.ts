import { type AskChoice, askChoiceOf } from '#domain/changes/ask-policy.ts';
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
    scope: fields.getAll('scope'),
  };
}

/**
 * What the pages carry as hidden fields: the five parameters of AUTH-003, the only valid `response_type`, and a valid
 * scope; an empty scope is omitted.
 */
export function carriedFields(request: AuthorizationRequest): Readonly<Record<string, string>> {
  return {
    client_id: request.client.id,
    redirect_uri: request.redirectUri,
    state: request.state ?? '',
    code_challenge: request.codeChallenge ?? '',
    code_challenge_method: request.codeChallenge === null ? '' : 'S256',
    response_type: 'code',
    ...(request.scope === null ? {} : { scope: request.scope }),
  };
}

/** The field of what is asked before, on the consent page and at `/apps`. */
export const askField = 'ask';

/** Reads what the user chose to be asked before; null when they did not choose, and for another value. */
export function askChoice(fields: URLSearchParams): AskChoice | null {
  const given = fields.getAll(askField);
  return given.length === 1 ? askChoiceOf(given[0]) : null;
}
