import type { RpcParams } from '#adapters/mcp/protocol/json-rpc.ts';
import type { Clock } from '#application/ports/clock.ts';
import { equal } from '#domain/shared/equal.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** How long a user may take to answer, in ms. */
const lifetimeMs = 600_000;

type Owner = Readonly<{ userId: number; method: string; params: RpcParams }>;

/**
 * Authenticates the state that a client returns with an answer (protocol 2026-07-28, requestState): a keyed digest
 * binds it to the user, to the request with its arguments, and to an expiry time. The state is not secret. The server
 * stores nothing.
 */
export class RequestStates {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(key: Uint8Array, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  /** Signs a text for the request. */
  seal(owner: Owner, text: string): string {
    const until = this.#clock.now() + lifetimeMs;
    const body = Buffer.from(JSON.stringify([until, text])).toString('base64url');
    return `${body}.${this.#digest(owner, body)}`;
  }

  /**
   * Verifies a state and returns its text; null when it was not signed for this request of this user, or has expired.
   */
  open(owner: Owner, state: string): string | null {
    const [body = '', digest = '', ...more] = state.split('.');
    if (more.length > 0 || !equal(digest, this.#digest(owner, body))) return null;
    const [until, text]: [number, string] = JSON.parse(Buffer.from(body, 'base64url').toString());
    return until > this.#clock.now() ? text : null;
  }

  #digest({ userId, method, params }: Owner, body: string): string {
    const { name, uri, arguments: args } = params;
    return keyedDigest(this.#key, [body, String(userId), method, JSON.stringify([name, uri, args ?? {}])]);
  }
}
