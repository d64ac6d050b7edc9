import type { Route, RouteContext } from '#adapters/http/route.ts';

/**
 * Serves GET /healthz (liveness) and /readyz: 503 with the reason while `notReady` gives one or fails, such as no
 * database, or draining.
 */
export function healthRoutes({ notReady }: Readonly<{ notReady: () => Promise<string | null> }>): Route[] {
  const ready = async (ctx: RouteContext): Promise<void> => {
    const reason = await notReady().catch(() => 'The state of the server could not be checked.');
    ctx.status = reason === null ? 200 : 503;
    ctx.body = reason === null ? { status: 'ok' } : { status: 'unavailable', reason };
  };
  const healthy = (ctx: RouteContext): void => {
    ctx.body = { status: 'ok' };
  };
  const route = { method: 'GET' as const, who: 'public' as const, body: 'none' as const };
  return [
    { ...route, path: '/healthz', run: healthy },
    { ...route, path: '/readyz', run: ready },
  ];
}
