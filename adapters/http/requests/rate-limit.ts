import type { RouteContext } from '#adapters/http/route.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { RateLimitName } from '#domain/limits/rate-limit-rules.ts';

/**
 * The caller's address for rate limits: IPv4 as it is, IPv6 by its /64 prefix, since one host has all of those
 * addresses.
 */
export function addressOf(ctx: RouteContext): string {
  const address = ctx.ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0') : [];
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`;
}

/**
 * Counts the request against its address; false when the limit is exceeded and it was answered with 429, as an OAuth
 * error.
 */
export async function isWithinLimit(ctx: RouteContext, limits: RateLimits, name: RateLimitName): Promise<boolean> {
  const taken = await limits.take(name, addressOf(ctx));
  if (taken.ok) return true;
  ctx.set('Retry-After', String(taken.failure.retryAfterS));
  ctx.status = 429;
  ctx.body = {
    error: 'rate_limited',
    retryAfterMs: taken.failure.retryAfterS * 1000,
    error_description: `Too many requests from this address. Try again in ${taken.failure.retryAfterS} seconds.`,
  };
  return false;
}
