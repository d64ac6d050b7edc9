import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Session } from '#domain/sessions/session.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

/**
 * Caches decrypted session tokens by digest; the token itself is not kept. Invalid tokens are not cached, so that a
 * flood of forged ones cannot evict valid ones. The caller checks the session's age each time.
 */
export class CachedSessionTokens implements SessionTokens {
  readonly #tokens: SessionTokens;
  readonly #opened: LRUCache<string, Session>;

  constructor(tokens: SessionTokens, max = 10_000) {
    this.#tokens = tokens;
    this.#opened = new LRUCache(entriesUpTo(max));
  }

  async seal(session: Session): Promise<string> {
    return this.#tokens.seal(session);
  }

  async open(token: string): Promise<Session | null> {
    const digest = hash('sha256', token, 'base64');
    const known = this.#opened.get(digest);
    if (known !== undefined) return known;
    const session = await this.#tokens.open(token);
    if (session !== null) this.#opened.set(digest, session);
    return session;
  }
}
