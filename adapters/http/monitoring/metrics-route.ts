import { refuse } from '#adapters/http/answers/refuse.ts';
import { visitorOf } from '#adapters/http/middleware/authentication.ts';
import type { Route } from '#adapters/http/route.ts';
import { equal } from '#domain/shared/equal.ts';

/** The dependencies of the metrics route; `token` is the scraper's bearer token, null when none is configured. */
type MetricsRouteDependencies = Readonly<{
  page: () => Promise<Readonly<{ text: string; type: string }>>;
  token: string | null;
}>;

/**
 * Serves `GET /metrics` in Prometheus' text format to administrators who are signed in and to callers with the token
 * (METRICS_TOKEN). The route checks access itself, since that token is not a session.
 */
export function metricsRoute({ page, token }: MetricsRouteDependencies): Route {
  return {
    method: 'GET',
    path: '/metrics',
    who: 'visitor',
    body: 'none',
    run: async (ctx) => {
      const [, bearer = null] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
      const isScraper = token !== null && bearer !== null && equal(bearer, token);
      const caller = isScraper ? null : visitorOf(ctx);
      if (!isScraper && caller === null) {
        ctx.set('WWW-Authenticate', 'Bearer realm="portolan"');
        const description = 'Metrics require a signed-in administrator, or METRICS_TOKEN as the bearer token.';
        return refuse(ctx, { status: 401, error: 'unauthorized', description });
      }
      if (!isScraper && caller?.user.isAdmin !== true) {
        return refuse(ctx, { status: 403, error: 'forbidden', description: 'Metrics require an administrator.' });
      }
      const { text, type } = await page();
      ctx.set('Cache-Control', 'no-store');
      ctx.type = type;
      ctx.body = text;
    },
  };
}
