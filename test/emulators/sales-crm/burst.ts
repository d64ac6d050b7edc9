import type { Answer } from '#test/emulators/sales-crm/answers.ts';

const windowMs = 2_000;

/** The CRM's own limit: so many requests of one credential in 2 seconds, reported in headers, refused with 429 beyond. */
export class Burst {
  readonly #limit: number;
  readonly #used = new Map<string, Readonly<{ since: number; count: number }>>();
  #left = 10_000;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a request. The headers go with its answer, whatever it is; `isOver` is a request too many. */
  count(credential: string, method: string): Readonly<{ isOver: boolean; headers: Readonly<Record<string, string>> }> {
    const now = Date.now();
    const before = this.#used.get(credential);
    const current = before !== undefined && now - before.since < windowMs ? before : { since: now, count: 0 };
    const count = current.count + 1;
    this.#used.set(credential, { since: current.since, count });
    if (method === 'POST' || method === 'PUT') this.#left = Math.max(0, this.#left - 1);
    const resetS = Math.max(1, Math.ceil((current.since + windowMs - now) / 1000));
    const isOver = count > this.#limit;
    return {
      isOver,
      headers: {
        'X-RateLimit-Limit': String(this.#limit),
        'X-RateLimit-Remaining': String(Math.max(0, this.#limit - count)),
        'X-RateLimit-Reset': String(resetS),
        'X-Daily-Requests-Left': String(this.#left),
        ...(isOver ? { 'Retry-After': String(resetS) } : {}),
      },
    };
  }
}

/** The answer to a request over the limit. */
export const tooMany: Answer = {
  status: 429,
  body: { success: false, error: 'request over limit', errorCode: 429, error_info: 'Please wait a moment.' },
};
