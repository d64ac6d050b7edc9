import type { Route, RouteContext } from '#adapters/http/route.ts';

/** Serves GET /healthz (liveness) and /readyz (503 while `readiness` is false or fails: no database, or draining). */
export function healthRoutes({ readiness }: Readonly<{ readiness: () => Promise<boolean> }>): Route[] {
  const ready = async (ctx: RouteContext): Promise<void> => {
    const isReady = await readiness().catch(() => false);
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ok' : 'unavailable' };
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
