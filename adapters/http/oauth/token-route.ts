import { requestIdOf } from '#adapters/http/middleware/every-answer.ts';
import { readTokenRequest, type TokenRequestError } from '#adapters/http/oauth/token-request.ts';
import { formFields } from '#adapters/http/requests/form-fields.ts';
import { isWithinLimit } from '#adapters/http/requests/rate-limit.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { ExchangeCode } from '#application/oauth/exchange-code.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { ExchangeReason } from '#domain/oauth/authorization-code.ts';

/** Maps the reasons of a failed code exchange to RFC 6749's errors and sentences for people (TOKEN-008). */
const answers: Readonly<Record<ExchangeReason, Readonly<{ status: 400 | 401; error: string; description: string }>>> = {
  invalid_code: { status: 400, error: 'invalid_grant', description: 'The code is unknown or was used already.' },
  expired_code: { status: 400, error: 'invalid_grant', description: 'The code is older than 600 seconds.' },
  invalid_client: {
    status: 401,
    error: 'invalid_client',
    description: 'The client is unknown, not the one the code was issued to, or its secret is wrong. Register again.',
  },
  invalid_redirect_uri: {
    status: 400,
    error: 'invalid_grant',
    description: 'The redirect_uri is not the one that the code was issued for.',
  },
  invalid_code_verifier: {
    status: 400,
    error: 'invalid_grant',
    description: 'The code_verifier is missing or does not belong to the code_challenge.',
  },
};

/**
 * Serves POST /token: exchanges a code for an access token. `scope` (TOKEN-015) is included only where the grant is
 * limited, as RFC 6749 §5.1 requires.
 */
export function tokenRoutes({
  exchangeCode,
  rateLimits,
  logger,
  isOwnResource,
}: Readonly<{
  exchangeCode: ExchangeCode;
  rateLimits: RateLimits;
  logger: Logger;
  isOwnResource: (resource: string) => boolean;
}>): Route[] {
  const run = async (ctx: RouteContext): Promise<void> => {
    ctx.set('Pragma', 'no-cache');
    if (!(await isWithinLimit(ctx, rateLimits, 'token'))) return;
    const request = readTokenRequest(formFields(ctx), ctx.req.headers.authorization, isOwnResource);
    if (!request.ok) return refuse(ctx, 400, request.failure);
    const exchanged = await exchangeCode.run(request.value);
    if (!exchanged.ok) {
      const { reason, revoked } = exchanged.failure;
      logger.info({ requestId: requestIdOf(ctx), reason }, 'Token exchange refused');
      if (revoked !== undefined) {
        logger.warn({ requestId: requestIdOf(ctx), ...revoked }, 'A code was used again: its access was revoked');
      }
      return refuseExchange(ctx, reason);
    }
    const { userId, accessToken, expiresInS, scope } = exchanged.value;
    logger.info({ requestId: requestIdOf(ctx), userId, clientId: request.value.clientId }, 'Access token issued');
    ctx.status = 200;
    const token = { access_token: accessToken, token_type: 'bearer', expires_in: expiresInS };
    ctx.body = scope === null ? token : { ...token, scope };
  };
  const refuseBody: Route['refuseBody'] = (ctx, { status, message }) =>
    refuse(ctx, status === 413 ? 413 : 400, { error: 'invalid_request', description: message });
  return [{ method: 'POST', path: '/token', who: 'public', body: 'form', run, refuseBody }];
}

function refuseExchange(ctx: RouteContext, reason: ExchangeReason): void {
  const { status, error, description } = answers[reason];
  if (status === 401) ctx.set('WWW-Authenticate', 'Basic realm="portolan"');
  ctx.status = status;
  ctx.body = { error, error_description: description, reason };
}

function refuse(ctx: Visit, status: number, { error, description }: TokenRequestError): void {
  ctx.status = status;
  ctx.body = { error, error_description: description };
}
