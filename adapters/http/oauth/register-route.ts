import { isWithinLimit } from '#adapters/http/requests/rate-limit.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { RegisterClient } from '#application/oauth/register-client.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { ClientRegistrationError } from '#domain/oauth/client.ts';

/**
 * Serves POST /register: dynamic client registration (RFC 7591). Answers the members of REG-001 plus those that the RFC
 * requires; with metadata on it also answers `client_secret_expires_at`, which §3.2.1 requires and strict clients look
 * for. Its value 0 means never (REG-017).
 */
export function registerRoutes({
  registerClient,
  rateLimits,
  oauthMetadata,
}: Readonly<{ registerClient: RegisterClient; rateLimits: RateLimits; oauthMetadata: boolean }>): Route[] {
  const expiry = oauthMetadata ? { client_secret_expires_at: 0 } : {};
  const run = async (ctx: RouteContext): Promise<void> => {
    if (!(await isWithinLimit(ctx, rateLimits, 'register'))) return;
    const metadata = readMetadata(ctx.request.body);
    if (metadata === null) {
      return refuse(ctx, 400, { reason: 'invalid_client_metadata', message: 'the body must be a JSON object' });
    }
    const registered = await registerClient.run(metadata);
    if (!registered.ok) return refuse(ctx, 400, registered.failure);
    const { id, secret, name, redirectUris } = registered.value;
    ctx.status = 201;
    ctx.body = {
      client_id: id,
      client_secret: secret,
      ...expiry,
      redirect_uris: redirectUris,
      client_name: name,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    };
  };
  const refuseBody: Route['refuseBody'] = (ctx, { status, message }) =>
    refuse(ctx, status === 413 ? 413 : 400, { reason: 'invalid_client_metadata', message });
  return [{ method: 'POST', path: '/register', who: 'public', body: 'json', run, refuseBody }];
}

function readMetadata(body: unknown): Readonly<{ name: unknown; redirectUris: unknown }> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  return {
    name: 'client_name' in body ? body.client_name : null,
    redirectUris: 'redirect_uris' in body ? body.redirect_uris : null,
  };
}

function refuse(ctx: Visit, status: number, { reason, message }: ClientRegistrationError): void {
  ctx.status = status;
  ctx.body = { error: reason, error_description: message };
}
