import { cookieFlags } from '#adapters/http/requests/session-cookie.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import type { Random } from '#application/ports/random.ts';
import { equal } from '#domain/shared/equal.ts';
import { emailKeyOf } from '#domain/users/email.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** How long a browser is known, in seconds: the longest time that browsers keep a cookie. */
const lifetimeS = 400 * 86_400;
/** How many accounts may have signed in in one browser; the earliest is forgotten first. */
const maxAccounts = 5;
const idPattern = /^[\w-]{22}$/;

/**
 * Knows the browsers in which an account has signed in before, so that failed logins from elsewhere do not lock its
 * owner out (AUTH-032). A browser keeps an id, and a keyed digest of it with each account; the server stores nothing.
 */
export class KnownBrowsers {
  readonly #keys: readonly Uint8Array[];
  readonly #random: Random;
  readonly #cookieName: string;

  /** Each of `keys` is 32 bytes for this purpose alone; the first creates digests, all verify them. */
  constructor(keys: readonly Uint8Array[], random: Random, baseUrl: string) {
    this.#keys = keys;
    this.#random = random;
    this.#cookieName = baseUrl.startsWith('https:') ? '__Host-portolan_known' : 'portolan_known';
  }

  /** Returns the browser's id if the account has signed in in it; null otherwise. */
  find(ctx: RouteContext, email: string): string | null {
    const { id, digests } = this.#read(ctx);
    const own = id === null ? [] : this.#keys.map((key) => digestOf(key, id, email));
    return digests.some((digest) => own.some((each) => equal(each, digest))) ? id : null;
  }

  /** Remembers that the account has signed in in the browser. */
  remember(ctx: RouteContext, email: string): void {
    const { id: known, digests } = this.#read(ctx);
    const id = known ?? this.#random.token(16);
    const own = digestOf(this.#keys[0] ?? new Uint8Array(), id, email);
    const all = [own, ...digests.filter((digest) => digest !== own)].slice(0, maxAccounts);
    const value = [id, ...all].join('.');
    ctx.append('Set-Cookie', `${this.#cookieName}=${value}; Max-Age=${lifetimeS}; ${cookieFlags}`);
  }

  #read(ctx: RouteContext): Readonly<{ id: string | null; digests: readonly string[] }> {
    const [id = '', ...digests] = (ctx.cookies.get(this.#cookieName) ?? '').split('.', maxAccounts + 1);
    return idPattern.test(id) ? { id, digests: digests.filter((digest) => digest.length === 43) } : nobody;
  }
}

const nobody = { id: null, digests: [] };

function digestOf(key: Uint8Array, id: string, email: string): string {
  return keyedDigest(key, [id, emailKeyOf(email)]);
}
