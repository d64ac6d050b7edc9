import type { FindClient } from '#application/oauth/find-client.ts';
import {
  type AuthorizationRequest,
  type AuthorizationRules,
  checkRedirect,
  type PageError,
  type RawAuthorization,
  type RedirectError,
  readAuthorizationRequest,
  singleValue,
} from '#domain/oauth/authorization-request.ts';
import { err, type Result } from '#domain/shared/result.ts';

/** Validates an authorization request. Every step of the flow runs it again, since form fields can be altered. */
export class BeginAuthorization {
  readonly #findClient: FindClient;
  readonly #rules: AuthorizationRules;

  constructor(findClient: FindClient, rules: AuthorizationRules) {
    this.#findClient = findClient;
    this.#rules = rules;
  }

  /** Returns the validated request, or the error and where to show it. */
  async run(raw: RawAuthorization): Promise<Result<AuthorizationRequest, PageError | RedirectError>> {
    const id = singleValue(raw.client_id);
    if (!id.ok || id.value === null) return err({ show: 'page', reason: 'invalid_request' });
    const found = await this.#findClient.run(id.value);
    if (!found.ok) return err({ show: 'page', ...found.failure });
    const redirectUri = checkRedirect(raw, found.value);
    if (!redirectUri.ok) return redirectUri;
    return readAuthorizationRequest(raw, { client: found.value, redirectUri: redirectUri.value, rules: this.#rules });
  }
}
