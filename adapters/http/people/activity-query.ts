import { z } from 'zod';
import type { RouteContext } from '#adapters/http/route.ts';
import type { ActivityQuery } from '#application/ports/activity-log.ts';
import { dayIn } from '#domain/text/days.ts';
import type { User } from '#domain/users/user.ts';

/** The query of /activity and /api/activity. Invalid and empty values are ignored. */
const querySchema = z.object({
  of: z.literal('all').optional().catch(undefined),
  user: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
  service: z.string().min(1).max(100).optional().catch(undefined),
  app: z.string().min(1).max(500).optional().catch(undefined),
  day: z.string().max(10).optional().catch(undefined),
  before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
});

/** The requested activity, and whether it is that of all users, which only an administrator may see. */
export type AskedActivity = Readonly<{
  isOfAll: boolean;
  filter: Omit<ActivityQuery, 'limit'>;
  /** The same as URL parameters, without the position in the list. */
  address: URLSearchParams;
  day: string;
}>;

/**
 * Parses the query of a request. Apps, and users who are not administrators, get their own user's activity, whatever
 * they ask for.
 */
export function askedActivity(ctx: RouteContext, user: User): AskedActivity {
  const { of, user: userId, service, app, day = '', before } = querySchema.parse(ctx.query);
  const isOfAll = of === 'all' && user.isAdmin && user.app === undefined;
  const bounds = dayIn(day, user.timeZone ?? 'UTC');
  const address = new URLSearchParams({
    ...(isOfAll ? { of: 'all' } : {}),
    ...(isOfAll && userId !== undefined ? { user: String(userId) } : {}),
    ...(service === undefined ? {} : { service }),
    ...(app === undefined ? {} : { app }),
    ...(bounds === null ? {} : { day }),
  });
  const whose = isOfAll ? userId : user.id;
  const filter = {
    ...(whose === undefined ? {} : { userId: whose }),
    ...(service === undefined ? {} : { service }),
    ...(app === undefined ? {} : { app }),
    ...bounds,
    ...(before === undefined ? {} : { before }),
  };
  return { isOfAll, filter, address, day: bounds === null ? '' : day };
}
