import type { Received, Reply } from '#test/kit/emulators/emulator.ts';

/** What a service's OAuth server adds to its token answers. */
export type TokenExtras = () => Readonly<Record<string, unknown>>;

/**
 * The OAuth server of an emulated service. It consents at once, takes any app, and gives tokens that are numbered: only the newest
 * access token counts, so that a clause ends a token by `expire`.
 */
export class EmulatedOAuth {
  readonly #name: string;
  readonly #key: string;
  readonly #extras: TokenExtras;
  /** Seconds in a token answer. */
  expiresInS = 3600;
  #count = 0;
  #isExpired = false;
  /** Whether a token answer has a refresh token. */
  givesRefreshToken = true;
  /** What the next requests to the token endpoint are answered with instead of tokens. */
  readonly refusals: Reply[] = [];

  /** `key` is the key or personal token that is valid in addition to the tokens. */
  constructor(name: string, key: string, extras: TokenExtras = () => ({})) {
    this.#name = name;
    this.#key = key;
    this.#extras = extras;
  }

  get accessToken(): string {
    return `${this.#name}-access-${this.#count}`;
  }

  get refreshToken(): string {
    return `${this.#name}-refresh-${this.#count}`;
  }

  /** Lets the access token that was given last count no more. */
  expire(): void {
    this.#isExpired = true;
  }

  /** Whether a request brings a credential that counts, wherever it carries it. */
  admits({ headers, query }: Received): boolean {
    const given = `${headers['authorization'] ?? ''} ${query.get('api_token') ?? ''}`.split(' ');
    return given.includes(this.#key) || (!this.#isExpired && given.includes(this.accessToken));
  }

  /** The answer of its two routes; null for another path. */
  answer(request: Received): Reply | null {
    if (request.path === '/oauth/authorize') return { status: 302, headers: { location: consented(request.query) } };
    if (request.path !== '/oauth/token') return null;
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    this.#count += 1;
    this.#isExpired = false;
    return {
      body: {
        access_token: this.accessToken,
        ...(this.givesRefreshToken ? { refresh_token: this.refreshToken } : {}),
        token_type: 'Bearer',
        expires_in: this.expiresInS,
        ...this.#extras(),
      },
    };
  }
}

function consented(query: URLSearchParams): string {
  const back = new URL(query.get('redirect_uri') ?? 'http://nowhere.invalid/');
  back.searchParams.set('code', 'the-code');
  back.searchParams.set('state', query.get('state') ?? '');
  return back.href;
}
