import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type WebhookCall, webhookCalls } from '#adapters/services/webhooks/webhook-calls.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ProviderWebhooks, RegisteredWebhook, WebhookFailure } from '#application/ports/provider-webhooks.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { WebhookAbilities } from '#domain/webhook-registrations/next-step.ts';
import type { DesiredWebhook, RemoteWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** The desired webhook: for issues, which have reactions (REACT-005). */
export const desiredWebhooks = [{ name: 'issues', events: ['Issues'] }];

/**
 * The options of the tracker's webhooks. `secrets` are the receiver's, the current one first; `secretId` is its
 * fingerprint.
 */
export type TrackerWebhooksOptions = Readonly<{
  caller: OperationCaller;
  /** The neutral terms for the vendor's resource types; null for a vendor that cannot list its webhooks. */
  neutralTypes: ReadonlyMap<string, string> | null;
  secrets: readonly string[];
  secretId: string | null;
  /** For a vendor whose webhooks end: how long they live at most, in ms, and the time now in Unix ms. */
  ends?: Readonly<{ lifeMs: number; now: () => number }>;
}>;

const madeSchema = z.looseObject({ id: z.string(), secret: z.string().nullish(), expiresAt: z.number().nullish() });
const listSchema = z.array(
  z.looseObject({
    id: z.string(),
    url: z.string().nullish(),
    enabled: z.boolean(),
    resourceTypes: z.array(z.string()),
    expiresAt: z.number().nullish(),
  }),
);

const maxPages = 20;
const unreadable = failed('unavailable', 'The tracker answered with something that is not a webhook.');
const otherSecret =
  'The tracker signs with a secret of its own, so that its deliveries are refused: set TRACKER_WEBHOOK_SECRET to the secret it shows in its settings.';

/**
 * Manages the webhooks of the tracker, whose signing secret this server chooses, and their ids where they do not end.
 * One that ends is renewed by registering it again. Not every vendor lists them.
 */
export class TrackerWebhooks implements ProviderWebhooks {
  readonly service = 'tracker';
  readonly desired = desiredWebhooks;
  readonly abilities: WebhookAbilities;
  readonly secretVariable = 'TRACKER_WEBHOOK_SECRET';
  readonly hasSecret: boolean;
  readonly secretFingerprint: string | null;
  readonly #call: WebhookCall;
  readonly #neutralTypes: TrackerWebhooksOptions['neutralTypes'];
  readonly #secret: string;
  readonly #ends: TrackerWebhooksOptions['ends'];

  constructor({ caller, neutralTypes, secrets, secretId, ends }: TrackerWebhooksOptions) {
    this.#ends = ends;
    this.abilities = { renews: ends !== undefined, removes: true };
    this.#call = webhookCalls(caller, this.service);
    this.#neutralTypes = neutralTypes;
    this.#secret = secrets[0] ?? '';
    this.hasSecret = secrets.length > 0;
    this.secretFingerprint = secretId;
  }

  newId(): string | null {
    return this.#ends === undefined ? randomUUID() : null;
  }

  async list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>> {
    const types = this.#neutralTypes;
    if (types === null) return ok(null);
    const webhooks: RemoteWebhook[] = [];
    let after: string | null = null;
    for (let page = 0; page < maxPages; page += 1) {
      const outcome: Outcome = await this.#call(userId, 'webhooks.list', {
        first: 100,
        ...(after === null ? {} : { after }),
      });
      if (!outcome.ok) return err(outcome);
      const listed = listSchema.safeParse(outcome.data);
      if (!listed.success) return err(unreadable);
      webhooks.push(...listed.data.map((webhook) => toRemote(webhook, types)));
      after = outcome.pagination?.next ?? null;
      if (after === null) return ok(webhooks);
    }
    return err(failed('too_large', 'The tracker lists more webhooks than can be looked through.'));
  }

  async create(desired: DesiredWebhook, id: string | null): Promise<Result<RegisteredWebhook, WebhookFailure>> {
    const outcome = await this.#call(desired.userId, 'webhooks.create', {
      url: desired.url,
      resourceTypes: desired.events,
      allPublicTeams: true,
      label: 'Portolan',
      secret: this.#secret,
      ...(id === null ? {} : { id }),
    });
    if (!outcome.ok) return err({ failure: outcome, mayBeDone: outcome.reason === 'unavailable' });
    const made = madeSchema.safeParse(outcome.data);
    if (!made.success) return err({ failure: unreadable, mayBeDone: true });
    const { secret, expiresAt = null } = made.data;
    const end = this.#ends === undefined ? null : this.#ends.now() + this.#ends.lifeMs;
    const isOurs = secret === null || secret === undefined || equal(secret, this.#secret);
    return ok({ remoteId: made.data.id, expiresAt: expiresAt ?? end, warning: isOurs ? null : otherSecret });
  }

  async renew(desired: DesiredWebhook): Promise<Result<RegisteredWebhook, Failure>> {
    const again = await this.create(desired, null);
    return again.ok ? again : err(again.failure.failure);
  }

  async remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>> {
    const outcome = await this.#call(userId, 'webhooks.delete', { id: remoteId }, signal);
    return outcome.ok || outcome.reason === 'not_found' ? ok(undefined) : err(outcome);
  }
}

function toRemote(
  { id, url, enabled, resourceTypes, expiresAt }: z.output<typeof listSchema>[number],
  types: ReadonlyMap<string, string>,
): RemoteWebhook {
  const events = resourceTypes.map((type) => types.get(type) ?? type);
  return { remoteId: id, url: url ?? '', events, expiresAt: expiresAt ?? null, isEnabled: enabled };
}
