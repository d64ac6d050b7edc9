import { refuse } from '#adapters/http/answers/refuse.ts';
import { parameterOf, type Route } from '#adapters/http/route.ts';
import type { AppCredentials } from '#application/ports/provider-grants.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The route at which providers report that somebody removed this server's app there (CONN-027). `isRemoval` says whether
 * the credentials are those of such a report; if so, it is heeded.
 */
export function removalRoute(isRemoval: (service: ServiceKey, credentials: AppCredentials) => boolean): Route {
  return {
    method: 'DELETE',
    path: '/connect/:service/callback',
    who: 'public',
    body: 'none',
    run: (ctx) => {
      const credentials = basicCredentials(ctx.get('Authorization'));
      if (credentials === null || !isRemoval(parameterOf(ctx, 'service'), credentials)) {
        return refuse(ctx, {
          status: 401,
          error: 'unauthorized',
          description: 'These are not the credentials of the app.',
        });
      }
      ctx.status = 204;
    },
  };
}

/** The id and secret in a header of HTTP Basic, which providers send as they are; null for anything else. */
function basicCredentials(authorization: string): AppCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/=]{1,2000})$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 1 ? null : { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}
