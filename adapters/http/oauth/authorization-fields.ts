import { type AskChoice, askChoiceOf } from '#domain/changes/ask-policy.ts';
import {
  type AuthorizationRequest,
  authorizationParameters,
  type RawAuthorization,
} from '#domain/oauth/authorization-request.ts';
import type { GrantChoice } from '#domain/oauth/grant.ts';

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

/** The fields of the choice on the consent page: a checkbox per service, the access level, and what is asked first. */
export const choiceFields = { services: 'services', access: 'access', ask: askField } as const;

/** Reads what the user chose to be asked before; null when they did not choose, and for another value. */
export function askChoice(fields: URLSearchParams): AskChoice | null {
  const given = fields.getAll(askField);
  return given.length === 1 ? askChoiceOf(given[0]) : null;
}

/**
 * Reads the choice from the consent page. The page always sends `access`, which tells a form with all boxes unticked
 * from one without the question: a form with neither field limits nothing. Any `access` other than `change` means read
 * only.
 */
export function grantChoice(fields: URLSearchParams): GrantChoice {
  const access = fields.getAll(choiceFields.access);
  const isAsked = access.length > 0 || fields.has(choiceFields.services);
  return {
    services: isAsked ? fields.getAll(choiceFields.services) : null,
    isReadonly: access.some((value) => value !== 'change'),
  };
}
