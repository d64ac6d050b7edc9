import { z } from 'zod';
import { type WebhookCall, webhookCalls } from '#adapters/services/webhooks/webhook-calls.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ProviderWebhooks, RegisteredWebhook, WebhookFailure } from '#application/ports/provider-webhooks.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { WebhookAbilities } from '#domain/webhook-registrations/next-step.ts';
import type { DesiredWebhook, RemoteWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** The desired webhooks: one for each event that has a reaction (REACT-001, REACT-002). */
export const desiredWebhooks = ['updated.deal', 'updated.person', 'updated.organization'].map((event) => ({
  name: event,
  events: [event],
}));

/**
 * The options of the sales CRM's webhooks. `secrets` are the receiver's, the current one first; `secretId` is its
 * fingerprint.
 */
export type SalesCrmWebhooksOptions = Readonly<{
  caller: OperationCaller;
  /** Whether the vendor also lists and removes webhooks, and takes the user and password of their deliveries. */
  isWhole: boolean;
  secrets: readonly string[];
  secretId: string | null;
}>;

const id = z.union([z.string().min(1), z.number().transform(String)]);
const madeSchema = z.looseObject({ id });
const listSchema = z.array(
  z.looseObject({
    id,
    subscription_url: z.string(),
    event_action: z.string(),
    event_object: z.string(),
    is_active: z.union([z.boolean(), z.number()]).nullish(),
  }),
);

/** The neutral terms for the provider's actions; terms that are already neutral are unchanged. */
const actionWords: Readonly<Record<string, string>> = { create: 'added', change: 'updated', delete: 'deleted' };

const unreadable = failed('unavailable', 'The sales CRM answered with something that is not a webhook.');

/**
 * Manages the webhooks of the sales CRM. The neutral dialect can only register them.
 */
export class SalesCrmWebhooks implements ProviderWebhooks {
  readonly service = 'sales_crm';
  readonly desired = desiredWebhooks;
  readonly abilities: WebhookAbilities;
  readonly hasSecret: boolean;
  readonly secretVariable: string;
  readonly secretFingerprint: string | null;
  readonly #call: WebhookCall;
  readonly #isWhole: boolean;
  readonly #basic: Readonly<{ user: string; password: string }> | null;

  constructor({ caller, isWhole, secrets, secretId }: SalesCrmWebhooksOptions) {
    this.#call = webhookCalls(caller, this.service);
    this.#isWhole = isWhole;
    this.#basic = this.#isWhole ? basicOf(secrets[0] ?? '') : null;
    this.abilities = { renews: false, removes: this.#isWhole };
    this.hasSecret = this.#isWhole ? this.#basic !== null : secrets.length > 0;
    this.secretVariable = `SALES_CRM_WEBHOOK_SECRET${this.#isWhole ? ' to user:password' : ''}`;
    this.secretFingerprint = this.#isWhole ? secretId : null;
  }

  newId(): null {
    return null;
  }

  async list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>> {
    if (!this.#isWhole) return ok(null);
    const outcome = await this.#call(userId, 'webhooks.list', {});
    if (!outcome.ok) return err(outcome);
    const listed = listSchema.safeParse(outcome.data);
    return listed.success ? ok(listed.data.map(toRemote)) : err(unreadable);
  }

  async create(desired: DesiredWebhook): Promise<Result<RegisteredWebhook, WebhookFailure>> {
    const [action = '', object = ''] = (desired.events[0] ?? '').split('.');
    // Where webhooks cannot be listed, a lost response would leave the outcome unknown: first check that the service is
    // up.
    const up = this.#isWhole ? null : await this.#call(desired.userId, 'users.me', {});
    if (up?.ok === false) return err({ failure: up, mayBeDone: false });
    const outcome = await this.#call(desired.userId, 'webhooks.create', {
      subscription_url: desired.url,
      event_action: action,
      event_object: object,
      ...(this.#basic === null ? {} : { http_auth_user: this.#basic.user, http_auth_password: this.#basic.password }),
    });
    if (!outcome.ok) return err({ failure: outcome, mayBeDone: outcome.reason === 'unavailable' });
    const made = madeSchema.safeParse(outcome.data);
    if (!made.success) return err({ failure: unreadable, mayBeDone: true });
    return ok({ remoteId: made.data.id, expiresAt: null, warning: null });
  }

  async renew(): Promise<Result<RegisteredWebhook, Failure>> {
    return err(failed('rejected', 'The sales CRM has no way to renew a webhook, which does not end.'));
  }

  async remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>> {
    const outcome = await this.#call(userId, 'webhooks.delete', { id: Number(remoteId) }, signal);
    return outcome.ok || isGone(outcome) ? ok(undefined) : err(outcome);
  }
}

function toRemote(webhook: z.output<typeof listSchema>[number]): RemoteWebhook {
  const { event_action: word, event_object: object, is_active: isActive } = webhook;
  return {
    remoteId: webhook.id,
    url: webhook.subscription_url,
    events: [`${own(actionWords, word) ?? word}.${object}`],
    expiresAt: null,
    isEnabled: isActive !== 0 && isActive !== false,
  };
}

function basicOf(secret: string): Readonly<{ user: string; password: string }> | null {
  const colon = secret.indexOf(':');
  return colon < 1 ? null : { user: secret.slice(0, colon), password: secret.slice(colon + 1) };
}

function isGone({ reason }: Failure): boolean {
  return reason === 'not_found' || reason === 'gone';
}
