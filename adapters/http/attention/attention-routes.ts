import { attentionAsJson } from '#adapters/http/attention/attention-pages.ts';
import { callerOf, userOf } from '#adapters/http/middleware/authentication.ts';
import type { Route } from '#adapters/http/route.ts';
import type { Attention } from '#application/attention/attention.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

type AttentionRoutesDependencies = Readonly<{
  attention: Pick<Attention, 'of'>;
  names: ServiceNames;
  baseUrl: string;
}>;

/** Serves what needs the caller's user as JSON: /api/attention (PAGE-030). Apps see what is the user's only. */
export function attentionRoutes({ attention, names, baseUrl }: AttentionRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/attention',
      who: 'person-or-app',
      body: 'none',
      run: async (ctx) => {
        const user = userOf(ctx);
        const isAdmin = user.isAdmin && callerOf(ctx).by === 'person';
        const items = await attention.of({ ...user, isAdmin });
        ctx.set('Cache-Control', 'no-store');
        ctx.body = { data: items.map((item) => attentionAsJson(item, { names, baseUrl })) };
      },
    },
  ];
}
