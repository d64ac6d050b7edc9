import { done, invalid, json, notFound, objectIn } from '#test/emulators/signing/exchange.ts';
import type { Handler } from '#test/emulators/signing/handler.ts';
import { newId, type Subscription } from '#test/emulators/signing/world.ts';

const shown = ({ sharedKey, ...subscription }: Subscription) => ({ ...subscription, shared_key: sharedKey });

/** POST /webhook-subscriptions */
export const subscribe: Handler = ({ world }, ask) => {
  const body = objectIn(ask);
  const { name, url, triggers } = body ?? {};
  if (typeof name !== 'string') return invalid({ name: ['This field is required.'] });
  if (typeof url !== 'string' || !URL.canParse(url)) return invalid({ url: ['Enter a valid URL.'] });
  if (!Array.isArray(triggers)) return invalid({ triggers: ['This field is required.'] });
  const uuid = newId();
  const active = body?.['active'] !== false;
  const subscription = { uuid, name, url, sharedKey: newId(), active, triggers: triggers.map(String) };
  world.subscriptions.set(uuid, subscription);
  return json(201, shown(subscription));
};

/** GET /webhook-subscriptions */
export const listSubscriptions: Handler = ({ world }) =>
  json(200, { items: [...world.subscriptions.values()].map(shown) });

/** DELETE /webhook-subscriptions/{id} */
export const unsubscribe: Handler = ({ world }, { params }) =>
  world.subscriptions.delete(params['id'] ?? '') ? done : notFound;
