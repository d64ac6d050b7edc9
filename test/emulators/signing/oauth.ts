import { randomBytes } from 'node:crypto';
import { json, type Reply } from '#test/emulators/signing/exchange.ts';

type Grant = { scope: string; clientId: string };

const newToken = (): string => randomBytes(20).toString('hex');

/** The emulated authorization server: consent is given by itself, codes are used once, refresh tokens rotate. */
export class Grants {
  readonly #clients: ReadonlyMap<string, string>;
  readonly #codes = new Map<string, Grant>();
  readonly #accessTokens = new Set<string>();
  readonly #refreshTokens = new Map<string, Grant>();
  /** How many of the next token requests are refused for good. */
  refusals = 0;

  /** `clients` maps ids to secrets. */
  constructor(clients: Readonly<Record<string, string>>) {
    this.#clients = new Map(Object.entries(clients));
  }

  /** Whether a request with this token is let in. */
  knows(accessToken: string): boolean {
    return this.#accessTokens.has(accessToken);
  }

  /** All access tokens end; refresh tokens stay. */
  expireTokens(): void {
    this.#accessTokens.clear();
  }

  /** Tokens without the browser's way round. */
  issue(): Readonly<{ accessToken: string; refreshToken: string }> {
    const answer = this.#granted({ scope: 'read+write', clientId: [...this.#clients.keys()][0] ?? '' });
    return { accessToken: answer.access_token, refreshToken: answer.refresh_token };
  }

  /** GET /oauth2/authorize: back to the app with a code. */
  authorize(query: URLSearchParams): Reply {
    const clientId = query.get('client_id') ?? '';
    const redirectUri = query.get('redirect_uri') ?? '';
    if (!this.#clients.has(clientId) || !URL.canParse(redirectUri)) return json(400, { error: 'invalid_client' });
    const back = new URL(redirectUri);
    const scope = query.get('scope') ?? '';
    const isAllowed = ['read', 'read write'].includes(scope);
    if (query.get('response_type') !== 'code') back.searchParams.set('error', 'unsupported_response_type');
    else if (!isAllowed) back.searchParams.set('error', 'invalid_scope');
    else {
      const code = newToken();
      this.#codes.set(code, { scope, clientId });
      back.searchParams.set('code', code);
    }
    const state = query.get('state');
    if (state !== null) back.searchParams.set('state', state);
    return { status: 302, headers: { location: back.href } };
  }

  /** POST /oauth2/access_token */
  token(form: URLSearchParams): Reply {
    if (this.refusals > 0) {
      this.refusals -= 1;
      return json(400, { error: 'invalid_grant' });
    }
    const clientId = form.get('client_id') ?? '';
    const secret = this.#clients.get(clientId);
    if (secret === undefined || form.get('client_secret') !== secret) return json(401, { error: 'invalid_client' });
    const type = form.get('grant_type');
    if (type !== 'authorization_code' && type !== 'refresh_token')
      return json(400, { error: 'unsupported_grant_type' });
    const waiting = type === 'authorization_code' ? this.#codes : this.#refreshTokens;
    const presented = form.get(type === 'authorization_code' ? 'code' : 'refresh_token') ?? '';
    const grant = waiting.get(presented);
    waiting.delete(presented);
    if (grant?.clientId !== clientId) return json(400, { error: 'invalid_grant' });
    return json(200, this.#granted(grant));
  }

  #granted(grant: Grant) {
    const access_token = newToken();
    const refresh_token = newToken();
    this.#accessTokens.add(access_token);
    this.#refreshTokens.set(refresh_token, grant);
    const scope = grant.scope.replaceAll(' ', '+');
    return { access_token, token_type: 'Bearer', expires_in: 31_535_999, scope, refresh_token };
  }
}
