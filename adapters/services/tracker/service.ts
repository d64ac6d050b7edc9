import { z } from 'zod';
import type { Provider } from '#adapters/services/provider.ts';
import { type TrackerDialect, trackerDialect } from '#adapters/services/tracker/dialects.ts';
import { trackerOAuth } from '#adapters/services/tracker/oauth.ts';
import { operations } from '#adapters/services/tracker/operations.ts';

/** What is set for the tracker; null where nothing is, which the provider's own dialect fills with the real addresses. */
export type TrackerSettings = Readonly<{
  dialect: TrackerDialect;
  url: string | null;
  authorizeUrl: string | null;
  tokenUrl: string | null;
}>;

/** What a tracker connection keeps in `extra`. */
export const trackerExtra = z.looseObject({
  actor_mode: z.enum(['user', 'app']).optional(),
  header_format: z.string().optional(),
});

/** The tracker, in the dialect that was set. */
export function trackerProvider({ dialect, url, authorizeUrl, tokenUrl }: TrackerSettings): Provider {
  return {
    service: 'tracker',
    vendor: dialect === 'linear' ? 'Linear' : null,
    operations,
    dialect: trackerDialect(dialect, url),
    oauth: trackerOAuth(dialect, { authorizeUrl, tokenUrl }),
    extra: trackerExtra,
    probe: 'viewer.get',
    versionPrefixes: [],
    timeoutMs: 30_000,
    maxBytes: 16 * 1024 * 1024,
  };
}
