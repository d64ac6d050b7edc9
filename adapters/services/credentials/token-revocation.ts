import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';

type Revocation = NonNullable<OAuthFacts['revocation']>;

/** Revokes at the endpoint beside the token endpoint: `…/oauth/token` becomes `…/oauth/revoke` (RFC 7009). */
export const revokedBeside: Revocation = (tokenUrl, { refreshToken, accessToken }) => ({
  method: 'POST',
  url: new URL('revoke', tokenUrl).href,
  fields: {
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
  },
});
