import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Page } from 'playwright-core';

/** An assistant on a person's machine: it opens their browser to sign in, and waits at its own address for the code. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata;
  readonly #page: Page;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  constructor(redirectUrl: string, page: Page) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: 'Astrolabe', redirect_uris: [redirectUrl] };
    this.#page = page;
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => {
    this.#tokens = tokens;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  redirectToAuthorization = async (url: URL) => {
    await this.#page.goto(url.href);
  };
}
