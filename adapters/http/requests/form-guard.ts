import { isOwnPage } from '#adapters/http/requests/own-page.ts';
import { cookieFlags } from '#adapters/http/requests/session-cookie.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import type { Random } from '#application/ports/random.ts';
import { equal } from '#domain/shared/equal.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** The hidden field that carries the token. */
export const formTokenField = 'csrf_token';

/**
 * Prevents cross-site request forgery. A browser gets a random id in a cookie; a form carries a keyed digest of this
 * id, the form's purpose, and what the form is bound to, such as its session or request. The server stores nothing.
 */
export class FormGuard {
  readonly #keys: readonly Uint8Array[];
  readonly #random: Random;
  readonly #cookieName: string;
  readonly #ownOrigin: string;

  /**
   * Each of `keys` is 32 bytes for this purpose alone; the first creates tokens, all verify them. With an https
   * `baseUrl` the cookie cannot be set by a sibling domain.
   */
  constructor(keys: readonly Uint8Array[], random: Random, baseUrl: string) {
    this.#keys = keys;
    this.#random = random;
    this.#cookieName = baseUrl.startsWith('https:') ? '__Host-portolan_browser' : 'portolan_browser';
    this.#ownOrigin = new URL(baseUrl).origin;
  }

  /** Creates the token for a form on the page being answered; sets the browser's id cookie when it has none. */
  tokenFor(ctx: RouteContext, purpose: string, boundTo: readonly string[]): string {
    const known = this.#browserId(ctx);
    const id = known ?? this.#random.token(24);
    if (known === null) {
      ctx.append('Set-Cookie', `${this.#cookieName}=${id}; ${cookieFlags}`);
      browserIds.set(ctx, id);
    }
    return keyedDigest(this.#keys[0] ?? new Uint8Array(), [purpose, id, ...boundTo]);
  }

  /**
   * Whether a form was sent from a page of this server, in the browser it was rendered for, with the same purpose and
   * binding.
   */
  isGenuine(ctx: RouteContext, token: string, purpose: string, boundTo: readonly string[]): boolean {
    const id = this.#browserId(ctx);
    if (id === null || !isOwnPage(ctx, this.#ownOrigin)) return false;
    return this.#keys.some((key) => equal(token, keyedDigest(key, [purpose, id, ...boundTo])));
  }

  #browserId(ctx: RouteContext): string | null {
    const id = browserIds.get(ctx) ?? ctx.cookies.get(this.#cookieName) ?? '';
    return /^[A-Za-z0-9_-]{32}$/.test(id) ? id : null;
  }
}

const browserIds = new WeakMap<RouteContext, string>();
