import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import { usableScopes } from '#adapters/mcp-client/oauth/discover.ts';
import { refusedGrant } from '#adapters/mcp-client/oauth/grant-failures.ts';
import type { GrantFailure } from '#application/ports/provider-grants.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What an authorization was begun with, and its tokens are bound to: kept in `extra.remote`. */
const boundSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string().nullable(),
  methods: z.array(z.string()),
  client_id: z.string(),
  resource: z.string(),
  needs_iss: z.boolean(),
});

/** The same as read. */
export type Bound = z.output<typeof boundSchema>;

const extraSchema = z.object({ remote: boundSchema });
/** Reads what tokens are bound to from a connection's `extra`; null when it is not there. */
export function boundIn(extra: TokenRecord['extra']): Bound | null {
  return extraSchema.safeParse(extra).data?.remote ?? null;
}

/** The longest lifetime that is believed, in seconds; the maximum length of a token, in characters. */
const maxLifetimeS = 10 * 365 * 24 * 3_600;
const maxToken = 16_384;

/** Makes the record of granted tokens; a failure for those that are no bearer tokens, or cannot be sent. `now` is Unix ms. */
export function tokenRecordOf(
  tokens: OAuthTokens,
  {
    name,
    userId,
    service,
    remote,
    before,
    now,
  }: Readonly<{
    name: string;
    userId: number;
    service: ServiceKey;
    remote: Bound;
    before: TokenRecord | null;
    now: number;
  }>,
): Result<TokenRecord, GrantFailure> {
  const { access_token, refresh_token = null, token_type, expires_in, scope } = tokens;
  if (token_type.toLowerCase() !== 'bearer')
    return err(refusedGrant(`The ${name} gave tokens that are no bearer tokens.`));
  const isUsable = (token: string) => token.length <= maxToken && /^[\x21-\x7e]+$/.test(token);
  if (!isUsable(access_token) || (refresh_token !== null && !isUsable(refresh_token))) {
    return err(refusedGrant(`The ${name} gave tokens that cannot be sent in a header.`));
  }
  const hasEnd = expires_in !== undefined && expires_in > 0;
  const granted = scope === undefined ? (before?.scope ?? null) : usableScopes(scope.split(/\s+/)).join(',');
  return ok({
    userId,
    service,
    authMethod: 'oauth',
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken ?? null,
    scope: granted,
    expiresAt: hasEnd ? now + Math.min(expires_in, maxLifetimeS) * 1_000 : null,
    extra: { ...before?.extra, remote },
    updatedAt: now,
  });
}

/** What the SDK needs to know of an authorization server for a token request. */
export function metadataOf({ issuer, token_endpoint, methods }: Bound) {
  return {
    issuer,
    authorization_endpoint: token_endpoint,
    token_endpoint,
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: methods,
  };
}

/** Whether a resource is that of the server at an address, or one that includes it. */
export async function isOfServer(url: string, resource: string): Promise<boolean> {
  const { checkResourceAllowed } = await import('@modelcontextprotocol/sdk/shared/auth-utils.js');
  return checkResourceAllowed({ requestedResource: url, configuredResource: resource });
}
