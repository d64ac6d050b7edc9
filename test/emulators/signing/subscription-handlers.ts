import { done, invalid, json, notFound, objectIn } from '#test/emulators/signing/exchange.ts';
import type { Handler } from '#test/emulators/signing/handler.ts';
import { newId, type Subscription } from '#test/emulators/signing/world.ts';

const shown = ({ sharedKey, isDeactivated, ...subscription }: Subscription) => ({
  ...subscription,
  status: isDeactivated ? 'DEACTIVATED' : subscription.active ? 'ACTIVE' : 'INACTIVE',
  payload: [],
  shared_key: sharedKey,
  workspace_id: 'workspace',
});

/** POST /webhook-subscriptions */
export const subscribe: Handler = ({ world }, ask) => {
  const body = objectIn(ask);
  const { name, url, triggers } = body ?? {};
  if (typeof name !== 'string') return invalid({ name: ['This field is required.'] });
  if (typeof url !== 'string' || !URL.canParse(url)) return invalid({ url: ['Enter a valid URL.'] });
  if (!Array.isArray(triggers)) return invalid({ triggers: ['This field is required.'] });
  const uuid = newId();
  const active = body?.['active'] !== false;
  const given = { name, url, triggers: triggers.map(String), active };
  const subscription = { ...given, uuid, sharedKey: newId(), isDeactivated: false };
  world.subscriptions.set(uuid, subscription);
  return json(201, shown(subscription));
};

/** GET /webhook-subscriptions */
export const listSubscriptions: Handler = ({ world }) =>
  json(200, { items: [...world.subscriptions.values()].map(shown) });

/** PATCH /webhook-subscriptions/{id}: what is given changes; one that was deactivated is active again if it says so. */
export const changeSubscription: Handler = ({ world }, ask) => {
  const subscription = world.subscriptions.get(ask.params['id'] ?? '');
  if (subscription === undefined) return notFound;
  const { name, url, triggers, active } = objectIn(ask) ?? {};
  if (typeof url === 'string' && !URL.canParse(url)) return invalid({ url: ['Enter a valid URL.'] });
  if (typeof name === 'string') subscription.name = name;
  if (typeof url === 'string') subscription.url = url;
  if (Array.isArray(triggers)) subscription.triggers = triggers.map(String);
  if (typeof active === 'boolean') Object.assign(subscription, { active, isDeactivated: false });
  return json(200, shown(subscription));
};

/** DELETE /webhook-subscriptions/{id} */
export const unsubscribe: Handler = ({ world }, { params }) =>
  world.subscriptions.delete(params['id'] ?? '') ? done : notFound;
