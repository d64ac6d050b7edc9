import { randomBytes } from 'node:crypto';
import type { EmulatedClock } from '#test/emulators/suite-crm/emulated-clock.ts';
import { type Asked, ok, type Reply } from '#test/emulators/suite-crm/reply.ts';

const codeLifeMs = 2 * 60 * 1000;
const accessLifeMs = 3_600_000;

/** The app that the emulator knows. */
export const app = { clientId: 'emulated-client', clientSecret: 'emulated-secret' } as const;

type Code = Readonly<{ center: string; redirectUri: string; scope: string; isOffline: boolean; expiresAt: number }>;

/**
 * The accounts server of every data centre: consents at once, gives codes that work once within two minutes, an access token
 * for an hour, and a refresh token at the exchange only. Errors are reported with HTTP 200, as the provider does.
 */
export class Accounts {
  readonly #clock: EmulatedClock;
  readonly #isZoho: boolean;
  readonly #apiDomain: (center: string) => string;
  readonly #codes = new Map<string, Code>();
  readonly #refresh = new Map<string, Readonly<{ center: string; scope: string }>>();
  readonly #access = new Map<string, Readonly<{ center: string | null; expiresAt: number }>>();
  #hasConsented = false;

  constructor(clock: EmulatedClock, isZoho: boolean, apiDomain: (center: string) => string) {
    this.#clock = clock;
    this.#isZoho = isZoho;
    this.#apiDomain = apiDomain;
    this.#access.set('emulated-token', { center: null, expiresAt: Infinity });
  }

  /** Whether a token is good for a data centre's API now. */
  allows(token: string, center: string): boolean {
    const known = this.#access.get(token);
    return (
      known !== undefined && known.expiresAt > this.#clock.now() && (known.center === null || known.center === center)
    );
  }

  /** Ends every access token that was issued; the permanent one stays. */
  expireTokens(): void {
    for (const [token, known] of this.#access) {
      if (known.center !== null) this.#access.set(token, { ...known, expiresAt: 0 });
    }
  }

  /** Every grant is taken back: no refresh token works any more. */
  revoke(): void {
    this.#refresh.clear();
    this.expireTokens();
  }

  authorize({ query, params: { center = '' } }: Asked): Reply {
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== app.clientId || !URL.canParse(redirectUri))
      return ok({ error: 'invalid_client' }, 400);
    const back = new URL(redirectUri);
    const state = query.get('state');
    if (state !== null) back.searchParams.set('state', state);
    if (query.get('response_type') !== 'code') back.searchParams.set('error', 'invalid_response_type');
    else {
      const code = `1000.${randomBytes(16).toString('hex')}`;
      const isNew = !this.#hasConsented || query.get('prompt') === 'consent' || !this.#isZoho;
      const isOffline = query.get('access_type') === 'offline' && isNew;
      this.#hasConsented = true;
      const scope = query.get('scope') ?? '';
      this.#codes.set(code, { center, redirectUri, scope, isOffline, expiresAt: this.#clock.now() + codeLifeMs });
      back.searchParams.set('code', code);
      back.searchParams.set('location', center);
    }
    return { status: 302, headers: { location: back.href } };
  }

  token({ bytes, params: { center = '' } }: Asked): Reply {
    const form = new URLSearchParams(Buffer.from(bytes).toString());
    if (form.get('client_id') !== app.clientId) return ok({ error: 'invalid_client' });
    if (form.get('client_secret') !== app.clientSecret) return ok({ error: 'invalid_client_secret' });
    if (form.get('grant_type') === 'refresh_token') return this.#renew(form.get('refresh_token') ?? '', center);
    if (form.get('grant_type') !== 'authorization_code') return ok({ error: 'invalid_grant_type' });
    const given = form.get('code') ?? '';
    const code = this.#codes.get(given);
    this.#codes.delete(given);
    if (code === undefined || code.center !== center || code.expiresAt <= this.#clock.now())
      return ok({ error: 'invalid_code' });
    if (code.redirectUri !== form.get('redirect_uri')) return ok({ error: 'invalid_redirect_uri' });
    const refresh = `1000.${randomBytes(16).toString('hex')}`;
    if (code.isOffline) this.#refresh.set(refresh, { center, scope: code.scope });
    return ok({ ...this.#accessToken(center, code.scope), ...(code.isOffline ? { refresh_token: refresh } : {}) });
  }

  #renew(refresh: string, center: string): Reply {
    const grant = this.#refresh.get(refresh);
    if (grant === undefined || grant.center !== center) return ok({ error: 'invalid_code' });
    return ok(this.#accessToken(center, grant.scope));
  }

  #accessToken(center: string, scope: string) {
    const token = `1000.${randomBytes(16).toString('hex')}`;
    this.#access.set(token, { center, expiresAt: this.#clock.now() + accessLifeMs });
    return {
      access_token: token,
      scope: scope.replaceAll(',', ' '),
      api_domain: this.#apiDomain(center),
      token_type: 'Bearer',
      expires_in: accessLifeMs / 1000,
    };
  }
}
