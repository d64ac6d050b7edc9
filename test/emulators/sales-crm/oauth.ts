import { randomBytes } from 'node:crypto';
import type { Answer, DialectName } from '#test/emulators/sales-crm/answers.ts';
import { type CrmRequest, type EmulatorRoute, formBody } from '#test/emulators/sales-crm/request.ts';

/** The app that the emulated CRM knows. */
export const app = { clientId: 'emulated-client', clientSecret: 'emulated-secret' } as const;

const lifetimeS = 3_600;
const scopes = 'base,deals:full,contacts:full,leads:full,activities:full,products:full';

type Grant = { accessToken: string; refreshToken: string; expiresAt: number };

/** Authorization codes with consent given at once, and rolling refresh tokens: both tokens are new at every renewal. */
export class EmulatedGrants {
  readonly #dialect: DialectName;
  readonly #codes = new Map<string, string>();
  readonly #grants = new Set<Grant>();
  /** How many tokens were given, by code and by refresh token. */
  readonly given = { exchanges: 0, renewals: 0 };
  /** Every token that was ever given, access tokens and refresh tokens by turns, newest last. */
  readonly everGiven: string[] = [];
  /** How many requests came to the token endpoint. */
  asked = 0;

  constructor(dialect: DialectName) {
    this.#dialect = dialect;
  }

  /** Tokens, as after a grant. */
  issue(): Grant {
    const grant = { accessToken: fresh('at'), refreshToken: fresh('rt'), expiresAt: Date.now() + lifetimeS * 1000 };
    this.#grants.add(grant);
    this.everGiven.push(grant.accessToken, grant.refreshToken);
    return grant;
  }

  accepts(accessToken: string): boolean {
    return [...this.#grants].some((grant) => grant.accessToken === accessToken && grant.expiresAt > Date.now());
  }

  /** Every access token is over from now on; the refresh tokens still renew. */
  expireTokens(): void {
    for (const grant of this.#grants) grant.expiresAt = 0;
  }

  /** As if the user had removed the app. */
  revoke(): void {
    this.#grants.clear();
  }

  routes(): readonly EmulatorRoute[] {
    return [
      { method: 'GET', path: '/oauth/authorize', answer: ({ query }) => this.#authorize(query) },
      { method: 'POST', path: '/oauth/token', answer: (request) => this.#token(request) },
    ];
  }

  #authorize(query: URLSearchParams): Answer {
    const redirectUri = query.get('redirect_uri');
    if (query.get('client_id') !== app.clientId || redirectUri === null) {
      return { status: 400, body: { success: false, error: 'invalid_client' } };
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
    this.asked += 1;
    const form = await formBody(request).catch(() => new FormData());
    const field = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    if (!this.#isApp(request, field)) return refused('invalid_client', 'Invalid client: client is invalid', 401);
    if (field('grant_type') === 'authorization_code') {
      const redirectUri = this.#codes.get(field('code'));
      this.#codes.delete(field('code'));
      if (redirectUri === undefined || redirectUri !== field('redirect_uri')) {
        return refused('invalid_grant', 'Invalid grant: authorization_code is invalid');
      }
      this.given.exchanges += 1;
      return this.#tokens();
    }
    if (field('grant_type') !== 'refresh_token') return refused('unsupported_grant_type', 'Unsupported grant type');
    const grant = [...this.#grants].find(({ refreshToken }) => refreshToken === field('refresh_token'));
    if (grant === undefined) return refused('invalid_grant', 'Invalid grant: refresh_token is invalid');
    this.#grants.delete(grant);
    this.given.renewals += 1;
    return this.#tokens();
  }

  /** Neutral: the client's id and secret are form fields. Own: they are HTTP Basic, and nothing else will do. */
  #isApp({ headers }: CrmRequest, field: (name: string) => string): boolean {
    if (this.#dialect === 'neutral') {
      return field('client_id') === app.clientId && field('client_secret') === app.clientSecret;
    }
    const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
    return headers['authorization'] === `Basic ${basic}`;
  }

  #tokens(): Answer {
    const { accessToken, refreshToken } = this.issue();
    const company =
      this.#dialect === 'neutral' ? { company_domain: 'acme' } : { api_domain: 'https://acme.pipedrive.com' };
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        refresh_token: refreshToken,
        scope: scopes,
        expires_in: lifetimeS,
        ...company,
      },
    };
  }
}

function refused(error: string, message: string, status = 400): Answer {
  return { status, body: { success: false, error, message } };
}

function fresh(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url')}`;
}
