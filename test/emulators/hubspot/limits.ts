import { tooMany } from '#test/emulators/hubspot/answers.ts';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';

/** The limits of the account: requests in ten seconds and a day, and searches in a second. */
export type HubSpotLimits = Readonly<{ tenSeconds?: number; daily?: number; searches?: number }>;

/** Counts requests in rolling windows. */
export class RequestCounts {
  readonly #limits: Required<HubSpotLimits>;
  readonly #requests: number[] = [];
  readonly #searches: number[] = [];

  constructor({ tenSeconds = 190, daily = 250_000, searches = 5 }: HubSpotLimits) {
    this.#limits = { tenSeconds, daily, searches };
  }

  /** The refusal of a request that is one too many, and the headers of all others; searches report nothing. */
  count(isSearch: boolean): Readonly<{ refusal: Answer | null; headers: Readonly<Record<string, string>> }> {
    const now = Date.now();
    const { tenSeconds, daily, searches } = this.#limits;
    const within = (all: readonly number[], ms: number) => all.filter((at) => at > now - ms).length;
    if (isSearch && within(this.#searches, 1_000) >= searches) return { refusal: tooMany('SECONDLY'), headers: {} };
    if (this.#requests.length >= daily) return { refusal: tooMany('DAILY'), headers: {} };
    if (within(this.#requests, 10_000) >= tenSeconds) return { refusal: tooMany('TEN_SECONDLY_ROLLING'), headers: {} };
    this.#requests.push(now);
    if (isSearch) this.#searches.push(now);
    const headers = {
      'X-HubSpot-RateLimit-Max': String(tenSeconds),
      'X-HubSpot-RateLimit-Remaining': String(tenSeconds - within(this.#requests, 10_000)),
      'X-HubSpot-RateLimit-Interval-Milliseconds': '10000',
      'X-HubSpot-RateLimit-Daily': String(daily),
      'X-HubSpot-RateLimit-Daily-Remaining': String(daily - this.#requests.length),
    };
    return { refusal: null, headers: isSearch ? {} : headers };
  }
}
