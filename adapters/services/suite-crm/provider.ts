import type { Provider } from '#adapters/services/provider.ts';
import { type SuiteCrmDialect, suiteCrmDialect } from '#adapters/services/suite-crm/dialect.ts';
import { type OAuthAddresses, suiteCrmOAuth } from '#adapters/services/suite-crm/oauth.ts';
import { operations } from '#adapters/services/suite-crm/operations.ts';

/** What the environment sets of the suite CRM; every address null when it is not set. */
export type SuiteCrmSettings = Readonly<{ dialect: SuiteCrmDialect; url: string | null }> & OAuthAddresses;

/** The suite CRM, in the dialect that was set. */
export function suiteCrmProvider({ dialect, url, authorizeUrl, tokenUrl }: SuiteCrmSettings): Provider {
  return {
    service: 'suite_crm',
    operations,
    dialect: suiteCrmDialect(dialect, url),
    oauth: suiteCrmOAuth(dialect, { authorizeUrl, tokenUrl }),
    probe: 'users.list',
    versionPrefixes: ['/crm/v8'],
    timeoutMs: 60_000,
    maxBytes: 64 * 1024 * 1024,
  };
}
