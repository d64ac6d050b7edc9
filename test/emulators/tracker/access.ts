import { createHash, randomBytes } from 'node:crypto';
import { unauthenticated } from '#test/emulators/tracker/faults.ts';

/** A request that is signed in: whose it is, how, and what it may. */
export type Caller = Readonly<{ userId: string; by: 'key' | 'oauth'; connection: string; scopes: readonly string[] }>;

/** A token answer, or an error of the token endpoint. */
export type TokenReply = Readonly<{ status: number; body: Readonly<Record<string, unknown>> }>;

type Grant = Readonly<{ userId: string; scopes: readonly string[]; actor: string }>;
type Code = Grant & Readonly<{ redirectUri: string; challenge: string | null; method: string; expiresAt: number }>;

const codeLifeMs = 600_000;
const accessLifeS = 24 * 3_600;

/** The OAuth app and personal keys that the emulator knows. */
export type Registered = Readonly<{ clientId: string; clientSecret: string; apiKey: string; userId: string }>;

const refused = (error: string, description: string): TokenReply => ({
  status: 400,
  body: { error, error_description: description },
});

/** Keys, codes and tokens of the emulated tracker: PKCE, tokens of 24 hours, a refresh token that serves once. */
export class Access {
  readonly #registered: Registered;
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Map<string, Grant & { expiresAt: number }>();
  readonly #refreshTokens = new Map<string, Grant>();

  constructor(registered: Registered) {
    this.#registered = registered;
  }

  /** Consents at once: where the browser is sent back to, or null when the request itself is at fault. */
  authorize(query: URLSearchParams): string | null {
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== this.#registered.clientId || !URL.canParse(redirectUri)) return null;
    const back = new URL(redirectUri);
    const state = query.get('state');
    if (state !== null) back.searchParams.set('state', state);
    const method = query.get('code_challenge_method') ?? 'plain';
    const scopes = (query.get('scope') ?? 'read').split(/[\s,]+/);
    if (query.get('response_type') !== 'code' || !['plain', 'S256'].includes(method)) {
      back.searchParams.set('error', 'invalid_request');
      return back.href;
    }
    if (query.get('actor') === 'app' && scopes.includes('admin')) {
      back.searchParams.set('error', 'invalid_scope');
      return back.href;
    }
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, {
      userId: this.#registered.userId,
      scopes,
      actor: query.get('actor') ?? 'user',
      redirectUri,
      challenge: query.get('code_challenge'),
      method,
      expiresAt: Date.now() + codeLifeMs,
    });
    back.searchParams.set('code', code);
    return back.href;
  }

  /** The token endpoint. */
  token(form: URLSearchParams): TokenReply {
    const secret = form.get('client_secret');
    const isRightClient = form.get('client_id') === this.#registered.clientId;
    if (!isRightClient || (secret !== null && secret !== this.#registered.clientSecret)) {
      return refused('invalid_client', 'The client is not known, or its secret is wrong.');
    }
    const grant = form.get('grant_type');
    if (grant === 'authorization_code') return this.#exchange(form, secret !== null);
    if (grant !== 'refresh_token') return refused('unsupported_grant_type', 'This grant is not supported.');
    const refreshToken = form.get('refresh_token') ?? '';
    const known = this.#refreshTokens.get(refreshToken);
    if (known === undefined) return refused('invalid_grant', 'The refresh token is not valid any more.');
    this.#refreshTokens.delete(refreshToken);
    return this.#issue(known);
  }

  /** Who a request is; throws what the tracker would say otherwise. */
  callerOf(authorization: string | undefined): Caller {
    if (authorization === undefined || authorization === '')
      throw unauthenticated('Authentication required, not authenticated');
    const { apiKey, userId } = this.#registered;
    if (authorization === apiKey) return { userId, by: 'key', connection: 'key', scopes: ['read', 'write', 'admin'] };
    const bearer = /^Bearer (.+)$/.exec(authorization)?.[1];
    if (bearer === apiKey) {
      throw unauthenticated(
        "It looks like you're trying to use an API key as a Bearer token. Remove the Bearer prefix from the Authorization header.",
      );
    }
    const token = this.#tokens.get(bearer ?? '');
    if (token === undefined || token.expiresAt <= Date.now()) {
      throw unauthenticated('Authentication required, not authenticated');
    }
    return { userId: token.userId, by: 'oauth', connection: `oauth:${token.userId}`, scopes: token.scopes };
  }

  /** Ends all access tokens at once; refresh tokens stay. */
  expireTokens(): void {
    this.#tokens.clear();
  }

  /** Ends refresh tokens as well: the grant is gone. */
  revoke(): void {
    this.#tokens.clear();
    this.#refreshTokens.clear();
  }

  #exchange(form: URLSearchParams, hasSecret: boolean): TokenReply {
    const code = form.get('code') ?? '';
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    if (known === undefined || known.expiresAt <= Date.now() || known.redirectUri !== form.get('redirect_uri')) {
      return refused('invalid_grant', 'The code is not valid, or was for another address.');
    }
    if (known.challenge === null && !hasSecret)
      return refused('invalid_client', 'The client secret is needed without PKCE.');
    if (known.challenge !== null && challengeOf(form.get('code_verifier') ?? '', known.method) !== known.challenge) {
      return refused('invalid_grant', 'The code verifier does not fit.');
    }
    return this.#issue(known);
  }

  #issue({ userId, scopes, actor }: Grant): TokenReply {
    const accessToken = `lin_oauth_${randomBytes(24).toString('hex')}`;
    const refreshToken = `lin_refresh_${randomBytes(24).toString('hex')}`;
    this.#tokens.set(accessToken, { userId, scopes, actor, expiresAt: Date.now() + accessLifeS * 1_000 });
    this.#refreshTokens.set(refreshToken, { userId, scopes, actor });
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: accessLifeS,
        refresh_token: refreshToken,
        scope: scopes.join(' '),
      },
    };
  }
}

function challengeOf(verifier: string, method: string): string {
  return method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
}
