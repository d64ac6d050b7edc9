import { z } from 'zod';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { checkedFormQuery, checkedQuery } from '#adapters/http/requests/checked-input.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { wholeNumber } from '#adapters/input/texts.ts';
import type { ActivityLog, ActivityQuery, StoredActivity } from '#application/ports/activity-log.ts';
import type { Users } from '#application/ports/users.ts';
import { unknownValue } from '#domain/operations/input-error.ts';
import { type Failure, failed, invalidInput } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { dayIn } from '#domain/text/days.ts';
import type { User } from '#domain/users/user.ts';

const id = wholeNumber(1).optional();

/** The query of /activity and /api/activity on a server of these services. */
function querySchema(services: readonly ServiceKey[]) {
  return z.strictObject({
    of: z.enum(['all']).optional(),
    user: id,
    service: z.enum(services).optional(),
    app: z.string().min(1).max(500).optional(),
    day: z.iso.date().optional(),
    before: id,
  });
}

type Query = z.output<ReturnType<typeof querySchema>>;

/** The requested activity, and whether it is that of all users, which only an administrator may see. */
export type AskedActivity = Readonly<{
  isOfAll: boolean;
  filter: Omit<ActivityQuery, 'limit'>;
  /** The same as URL parameters, without the position in the list. */
  address: URLSearchParams;
  day: string;
}>;

/** Where the activity is, and the services and users that a query may name. */
type ActivitySource = Readonly<{
  services: readonly ServiceKey[];
  users: Pick<Users, 'find' | 'findByEmail'>;
  log: Pick<ActivityLog, 'apps' | 'list'>;
}>;

/** The requested activity with its entries. */
export type FoundActivity = AskedActivity & Readonly<{ entries: readonly StoredActivity[] }>;

/**
 * Lists what the query of a request asks for, of a form or of a program, which leaves out what it does not ask for. A
 * query that does not conform, or that names nothing there is, is a failure.
 */
export async function findActivity(
  visit: Visit,
  source: ActivitySource,
  { isForm, limit }: Readonly<{ isForm: boolean; limit: number }>,
): Promise<Result<FoundActivity, Failure>> {
  const user = userOf(visit);
  const named = isForm ? await withUserId(visit.query, source.users) : ok(visit.query);
  if (!named.ok) return named;
  const query = { query: named.value };
  const read = (isForm ? checkedFormQuery : checkedQuery)(query, querySchema(source.services));
  if (!read.ok) return read;
  const refusal = await refusalOf(read.value, user, source);
  if (refusal !== null) return err(refusal);
  const found = asked(read.value, user);
  const entries = await source.log.list({ ...found.filter, limit });
  const { app } = read.value;
  // Only an empty list can be that of an app which has done nothing.
  const apps = entries.length > 0 || app === undefined ? null : await source.log.apps(found.filter.userId ?? null);
  if (apps === null || app === undefined || apps.includes(app)) return ok({ ...found, entries });
  return err(invalidInput([unknownValue(['app'], { title: 'activity of an app', given: app, known: apps })]));
}

/** The query of a form, in which a user may be named by e-mail. */
async function withUserId(
  query: Visit['query'],
  users: Pick<Users, 'findByEmail'>,
): Promise<Result<Visit['query'], Failure>> {
  const { user } = query;
  if (typeof user !== 'string' || !user.includes('@')) return ok(query);
  const found = await users.findByEmail(user);
  if (found !== null) return ok({ ...query, user: String(found.user.id) });
  return err(invalidInput([{ path: ['user'], message: 'There is no user with that e-mail or id.' }]));
}

const othersText = 'Only an administrator who is signed in with a browser can see the activity of other users.';

/** Why the user may not ask this, or whom the query names in vain; null when neither is so. */
async function refusalOf({ of, user: id }: Query, user: User, { users }: ActivitySource): Promise<Failure | null> {
  const asksOthers = of !== undefined || (id !== undefined && id !== user.id);
  if (!asksOthers) return null;
  if (!user.isAdmin || user.app !== undefined) return failed('forbidden', othersText);
  const isUnknown = id !== undefined && (await users.find(id)) === null;
  if (isUnknown) return invalidInput([{ path: ['user'], message: `There is no user ${id}.` }]);
  return of === undefined ? invalidInput([{ path: ['user'], message: '`user` requires `of=all`.' }]) : null;
}

function asked({ of, user: userId, service, app, day, before }: Query, user: User): AskedActivity {
  const isOfAll = of === 'all';
  const bounds = day === undefined ? null : dayIn(day, user.timeZone ?? 'UTC');
  const address = new URLSearchParams({
    ...(isOfAll ? { of: 'all' } : {}),
    ...(isOfAll && userId !== undefined ? { user: String(userId) } : {}),
    ...(service === undefined ? {} : { service }),
    ...(app === undefined ? {} : { app }),
    ...(day === undefined ? {} : { day }),
  });
  const whose = isOfAll ? userId : user.id;
  const filter = {
    ...(whose === undefined ? {} : { userId: whose }),
    ...(service === undefined ? {} : { service }),
    ...(app === undefined ? {} : { app }),
    ...bounds,
    ...(before === undefined ? {} : { before }),
  };
  return { isOfAll, filter, address, day: day ?? '' };
}
