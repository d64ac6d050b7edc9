import { z } from 'zod';
import { askedWithToken } from '#adapters/services/credentials/asked-with-token.ts';
import { type OAuthFacts, scopeList, standardOAuth } from '#adapters/services/credentials/oauth-facts.ts';
import { apiUrl } from '#adapters/services/tracker/jira/dialect.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** The configured addresses; null when not set. */
type Addresses = Readonly<{ url: string | null; authorizeUrl: string | null; tokenUrl: string | null }>;

/** Access tokens live an hour; they are renewed before, in ms. */
const renewEveryMs = 50 * 60_000;

const scopes = [
  'read:jira-work',
  'write:jira-work',
  'read:jira-user',
  'read:board-scope:jira-software',
  'read:project:jira',
  'read:sprint:jira-software',
  'write:sprint:jira-software',
  'offline_access',
];

/** Additionally required for registering webhooks; requested only from users whose tokens register them. */
const webhookScope = 'manage:jira-webhook';

/** The OAuth facts of Atlassian (3LO). Each renewal replaces the refresh token: one whose answer was lost is used up. */
export function jiraOAuth({ authorizeUrl, tokenUrl }: Addresses): OAuthFacts {
  return standardOAuth({
    authorizeUrl: () => authorizeUrl ?? 'https://auth.atlassian.com/authorize',
    tokenUrl: () => tokenUrl ?? 'https://auth.atlassian.com/oauth/token',
    authorizationParameters: ({ app, redirectUri, registersWebhooks = false }) => ({
      audience: 'api.atlassian.com',
      client_id: app.clientId,
      scope: scopeList(app.scopes ?? [...scopes, ...(registersWebhooks ? [webhookScope] : [])]).join(' '),
      redirect_uri: redirectUri,
      response_type: 'code',
      prompt: 'consent',
    }),
    // Atlassian refuses a used or ended refresh token by either, with 403.
    isRefused: (status, body) =>
      status < 500 && status !== 429 && ['invalid_grant', 'unauthorized_client'].includes(refusalIn(body)),
    needsRefreshToken: true,
    renewEveryMs,
  });
}

const refusalIn = (body: unknown) => z.object({ error: z.string() }).safeParse(body).data?.error ?? '';

const siteHost = /^[a-z0-9][a-z0-9-]{0,62}\.(?:atlassian\.net|jira\.com)$/;

/** Reads an address of a site; null for any other. */
export function siteAddress(text: unknown): URL | null {
  const url = URL.parse(String(text));
  return url?.protocol === 'https:' && siteHost.test(url.host) && url.username === '' ? url : null;
}

/** What a user may say with a connection: the site, where the account has several. */
export const jiraExtra = z.looseObject({
  site: z
    .string()
    .transform((site) =>
      site
        .toLowerCase()
        .replace(/^https:\/\//, '')
        .replace(/\/$/, ''),
    )
    .refine((site) => siteHost.test(site), {
      error: 'must be a site such as acme.atlassian.net',
    })
    .optional()
    .meta({ title: 'Site, such as acme.atlassian.net' }),
});

const sites = z.array(z.looseObject({ id: z.string(), url: z.string() }));
const refused = (message: string) => err(failed('invalid_input', message));

/**
 * Completes a connection with its site: the one that an API token is for, or the one that the tokens of OAuth reach. Of
 * several, the user names one.
 */
export async function withSite(
  record: TokenRecord,
  http: HttpClient,
  url: string | null,
): Promise<Result<TokenRecord, Failure>> {
  const { authMethod, accessToken, extra } = record;
  const site = jiraExtra.safeParse(extra).data?.site;
  if (authMethod !== 'oauth') {
    if (site === undefined)
      return refused('Give the address of your site as `extra.site`, such as acme.atlassian.net.');
    return /^[^\s:@]+@[^\s:@]+:\S+$/.test(accessToken)
      ? ok({ ...record, extra: { ...extra, site, site_url: `https://${site}` } })
      : refused('Give your e-mail address and an API token, with a colon between them: ann@example.com:token.');
  }
  const listed = sites.safeParse(
    await askedWithToken(http, `${url ?? apiUrl}/oauth/token/accessible-resources`, accessToken),
  ).data;
  if (listed === undefined)
    return err(failed('unavailable', 'Atlassian did not say which sites these tokens reach. Try again.'));
  const hosts = new Map(listed.map((one) => [one.id, URL.parse(one.url)?.host ?? '']));
  const choices = [...hosts.values()].join(', ');
  const [only, ...others] = [...hosts].filter(([, host]) => site === undefined || host === site);
  if (choices === '') return refused('These tokens reach no site of Jira.');
  if (only === undefined) return refused(`These tokens do not reach ${site}. They reach ${choices}.`);
  if (others.length > 0)
    return refused(`These tokens reach several sites: ${choices}. Connect again with one of them as \`extra.site\`.`);
  const [cloudId, host] = only;
  return ok({ ...record, extra: { ...extra, site: host, cloud_id: cloudId, site_url: `https://${host}` } });
}
