import { randomBytes } from 'node:crypto';
import { failure } from '#test/emulators/hubspot/answers.ts';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';
import { type CrmRequest, type EmulatorRoute, formBody } from '#test/emulators/sales-crm/request.ts';

/** The app that the emulated HubSpot knows. */
export const hubspotApp = { clientId: 'emulated-hubspot-client', clientSecret: 'emulated-hubspot-secret' } as const;

/** The account. */
export const portalId = 62_515;

const lifetimeS = 1_800;

type Grant = { accessToken: string; refreshToken: string; expiresAt: number };

/** Authorization codes with consent given at once; a refresh token remains, and each access token lives for 30 minutes. */
export class HubSpotGrants {
  readonly #codes = new Map<string, string>();
  readonly #grants = new Set<Grant>();
  readonly given = { exchanges: 0, renewals: 0 };

  issue(refreshToken = fresh('rt')): Grant {
    const grant = { accessToken: fresh('at'), refreshToken, expiresAt: Date.now() + lifetimeS * 1000 };
    this.#grants.add(grant);
    return grant;
  }

  accepts(accessToken: string): boolean {
    return [...this.#grants].some((grant) => grant.accessToken === accessToken && grant.expiresAt > Date.now());
  }

  /** Every access token is over from now on; the refresh tokens still renew. */
  expireTokens(): void {
    for (const grant of this.#grants) grant.expiresAt = 0;
  }

  /** As if the app had been removed from the account. */
  revoke(): void {
    this.#grants.clear();
  }

  routes(): readonly EmulatorRoute[] {
    return [
      { method: 'GET', path: '/oauth/authorize', answer: ({ query }) => this.#authorize(query) },
      { method: 'POST', path: '/oauth/2026-03/token', answer: (request) => this.#token(request) },
    ];
  }

  #authorize(query: URLSearchParams): Answer {
    const redirectUri = query.get('redirect_uri');
    const scopes = query.get('scope')?.split(' ') ?? [];
    if (query.get('client_id') !== hubspotApp.clientId || redirectUri === null || !scopes.includes('oauth')) {
      return failure(400, 'VALIDATION_ERROR', 'The app, its redirect address or its scopes do not fit.');
    }
    const code = fresh('code');
    this.#codes.set(code, redirectUri);
    const target = new URL(redirectUri);
    target.searchParams.set('code', code);
    const state = query.get('state');
    if (state !== null) target.searchParams.set('state', state);
    return { status: 302, headers: { location: target.href }, body: '' };
  }

  async #token(request: CrmRequest): Promise<Answer> {
    const form = await formBody(request).catch(() => new FormData());
    const field = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    if (field('client_id') !== hubspotApp.clientId || field('client_secret') !== hubspotApp.clientSecret) {
      return refused('BAD_CLIENT_SECRET', 'missing or unknown client secret');
    }
    if (field('grant_type') === 'authorization_code') {
      const redirectUri = this.#codes.get(field('code'));
      this.#codes.delete(field('code'));
      if (redirectUri === undefined) return refused('BAD_AUTH_CODE', 'missing or unknown auth code');
      if (redirectUri !== field('redirect_uri')) return refused('BAD_REDIRECT_URI', 'redirect_uri mismatch');
      this.given.exchanges += 1;
      return tokens(this.issue());
    }
    const grant = [...this.#grants].find(({ refreshToken }) => refreshToken === field('refresh_token'));
    if (grant === undefined) return refused('BAD_REFRESH_TOKEN', 'missing or unknown refresh token');
    this.given.renewals += 1;
    return tokens(this.issue(grant.refreshToken));
  }
}

function tokens({ accessToken, refreshToken }: Grant): Answer {
  return {
    status: 200,
    body: {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: lifetimeS,
      token_type: 'bearer',
      token_use: 'access_token',
      hub_id: portalId,
      user_id: 11,
      scopes: ['oauth', 'crm.objects.deals.read'],
    },
  };
}

const refused = (status: string, message: string): Answer => ({
  status: 400,
  body: { status, message, correlationId: '00000000-0000-4000-8000-000000000000' },
});

function fresh(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url')}`;
}
