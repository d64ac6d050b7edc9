import type * as v2 from '@modelcontextprotocol/client';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { allow, allowAsTicked, callback, type Reachable, type Ticked } from '#test/support/authorization/auth-flow.ts';

/** An OAuth client as an MCP host would keep it; the person at the browser is played by posting the forms. */
class Memory<Information, Tokens> {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: 'Astrolabe', redirect_uris: [callback] };
  readonly sentTo: URL[] = [];
  #client: Information | undefined;
  #tokens: Tokens | undefined;
  #verifier = '';

  state = () => 'the state of this try';
  clientInformation = () => this.#client;
  saveClientInformation = (client: Information) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: Tokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.sentTo.push(url);
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  invalidateCredentials = () => {
    this.#client = undefined;
    this.#tokens = undefined;
  };

  /** What comes back after sign-in and Allow with what the page has ticked, as `kept` leaves it. */
  async allowedAsTicked(server: Reachable, kept?: Ticked): Promise<URLSearchParams> {
    const { pathname, search } = this.sentTo.at(-1) ?? new URL(callback);
    return allowAsTicked(server, `${pathname}${search}`, kept);
  }

  /** What comes back to the client after sign-in and Allow on the page it was last sent to. */
  async allowed(server: Reachable): Promise<URLSearchParams> {
    const { pathname, search } = this.sentTo.at(-1) ?? new URL(callback);
    const answer = await allow(server, `${pathname}${search}`);
    return new URL(answer.headers.get('location') ?? '').searchParams;
  }
}

/** A host on SDK 1. */
export class Host extends Memory<OAuthClientInformationMixed, OAuthTokens> {}

/** SDK 2 remembers besides which authorization server it asked, so that no other can answer. */
export class Host2 extends Memory<v2.StoredOAuthClientInformation, v2.StoredOAuthTokens> {
  #asked: v2.OAuthDiscoveryState | undefined;

  discoveryState = () => this.#asked;
  saveDiscoveryState = (asked: v2.OAuthDiscoveryState) => {
    this.#asked = asked;
  };
}
