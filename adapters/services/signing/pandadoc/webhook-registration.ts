import { z } from 'zod';
import { del, get, patch, post } from '#adapters/services/requests/request-rows.ts';
import { type WebhookCall, webhookCalls } from '#adapters/services/webhooks/webhook-calls.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ProviderWebhooks, RegisteredWebhook, WebhookFailure } from '#application/ports/provider-webhooks.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import {
  type DesiredWebhook,
  isSameUrl,
  type RemoteWebhook,
} from '#domain/webhook-registrations/webhook-registration.ts';

/** One subscription for all events of documents. */
export const desiredWebhooks = [
  {
    name: 'documents',
    events: [
      'document_state_changed',
      'recipient_completed',
      'document_updated',
      'document_deleted',
      'document_creation_failed',
      'document_completed_pdf_ready',
    ],
  },
];

const id = z.string().min(1);
const change = { url: z.string(), triggers: z.array(z.string()), active: z.boolean() };

/** The requests of subscriptions, which show their shared keys: they are no operations. */
export const subscriptionRequests = {
  'subscriptions.list': get('/public/v1/webhook-subscriptions', 'Lists the webhooks', {}),
  'subscriptions.create': post('/public/v1/webhook-subscriptions', 'Creates a webhook', {
    name: z.string(),
    ...change,
  }),
  'subscriptions.update': patch('/public/v1/webhook-subscriptions/{id}', 'Updates a webhook', { id, ...change }),
  'subscriptions.delete': del('/public/v1/webhook-subscriptions/{id}', 'Deletes a webhook', { id }),
} as const;

/** The options of the subscriptions. `url` is this server's receiver; `keepSecret` stores the key that signs deliveries. */
type PandadocWebhooksOptions = Readonly<{
  caller: OperationCaller;
  url: string | null;
  keepSecret: (key: string) => Promise<void>;
}>;

const subscription = z.looseObject({
  uuid: z.string().min(1),
  url: z.string(),
  active: z.boolean(),
  status: z.string().nullish().catch(null),
  triggers: z.array(z.string()).nullish().catch(null),
  shared_key: z.string().min(1).nullish().catch(null),
});
const listSchema = z.union([
  z.array(subscription),
  z.object({ items: z.array(subscription) }).transform(({ items }) => items),
]);

type Subscription = z.output<typeof subscription>;

const unreadable = failed('unavailable', 'The signing service answered with something that is not a webhook.');

/**
 * Manages PandaDoc's webhook subscriptions. PandaDoc chooses the shared key that signs their deliveries and lists it: the
 * key is stored whenever a subscription to this server's address is seen.
 */
export class PandadocWebhooks implements ProviderWebhooks {
  readonly service = 'signing';
  readonly desired = desiredWebhooks;
  readonly abilities = { renews: true, removes: true };
  readonly hasSecret = true;
  readonly secretVariable = 'SIGNING_WEBHOOK_KEY';
  readonly secretFingerprint = null;
  readonly #call: WebhookCall;
  readonly #url: string | null;
  readonly #keepSecret: PandadocWebhooksOptions['keepSecret'];

  constructor({ caller, url, keepSecret }: PandadocWebhooksOptions) {
    this.#call = webhookCalls(caller, this.service);
    this.#url = url;
    this.#keepSecret = keepSecret;
  }

  newId(): null {
    return null;
  }

  async list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>> {
    const outcome = await this.#call(userId, 'subscriptions.list', {});
    if (!outcome.ok) return err(outcome);
    const listed = listSchema.safeParse(outcome.data);
    if (!listed.success) return err(unreadable);
    for (const one of listed.data) await this.#seen(one);
    return ok(listed.data.map(toRemote));
  }

  async create({ userId, url, events }: DesiredWebhook): Promise<Result<RegisteredWebhook, WebhookFailure>> {
    const outcome = await this.#call(userId, 'subscriptions.create', {
      name: 'Portolan',
      url,
      triggers: events,
      active: true,
    });
    if (!outcome.ok) return err({ failure: outcome, mayBeDone: outcome.reason === 'unavailable' });
    const made = await this.#registered(outcome.data);
    return made.ok ? made : err({ failure: made.failure, mayBeDone: true });
  }

  async renew({ userId, url, events }: DesiredWebhook, remoteId: string): Promise<Result<RegisteredWebhook, Failure>> {
    const input = { id: remoteId, url, triggers: events, active: true };
    const outcome = await this.#call(userId, 'subscriptions.update', input);
    return outcome.ok ? this.#registered(outcome.data) : err(outcome);
  }

  async remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>> {
    const outcome = await this.#call(userId, 'subscriptions.delete', { id: remoteId }, signal);
    return outcome.ok || outcome.reason === 'not_found' ? ok(undefined) : err(outcome);
  }

  async #registered(data: unknown): Promise<Result<RegisteredWebhook, Failure>> {
    const read = subscription.safeParse(data).data;
    if (read === undefined) return err(unreadable);
    await this.#seen(read);
    return ok({ remoteId: read.uuid, expiresAt: null, warning: read.shared_key == null ? noKey : null });
  }

  /** Stores the key of a subscription to this server. */
  async #seen({ url, shared_key: key }: Subscription): Promise<void> {
    if (key != null && this.#url !== null && isSameUrl(url, this.#url)) await this.#keepSecret(key);
  }
}

const noKey = 'PandaDoc does not say its shared key: set SIGNING_WEBHOOK_KEY to the key that it shows for the webhook.';

function toRemote({ uuid, url, triggers, active, status }: Subscription): RemoteWebhook {
  const isEnabled = active && (status == null || status === 'ACTIVE');
  return { remoteId: uuid, url, events: triggers ?? null, expiresAt: null, isEnabled };
}
