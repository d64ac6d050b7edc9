import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type WebhookCall, webhookCalls } from '#adapters/services/webhooks/webhook-calls.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ProviderWebhooks, RegisteredWebhook, WebhookFailure } from '#application/ports/provider-webhooks.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { channelLifeMs } from '#domain/webhook-registrations/renewal.ts';
import type { DesiredWebhook, RemoteWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** One channel for the watched modules; the suite CRM has no reaction of its own yet (WREG-001). */
export const desiredWebhooks = [
  { name: 'records', events: ['Leads.all', 'Contacts.all', 'Accounts.all', 'Deals.all'] },
];

/**
 * The options of the suite CRM's channels. `tokens` are the receiver's, the current one first; `secretId` is its
 * fingerprint.
 */
export type SuiteCrmWebhooksOptions = Readonly<{
  caller: OperationCaller;
  tokens: readonly string[];
  secretId: string | null;
  /** Now, in Unix ms, from which the expiry of channels is computed. */
  now: () => number;
}>;

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const channelId = z.union([z.string().min(1), z.number().transform(String)]);
const listSchema = z.array(
  z.looseObject({
    channel_id: channelId,
    notify_url: z.string(),
    channel_expiry: time.nullish().catch(null),
    events: z.array(z.string()).nullish().catch(null),
  }),
);
const resultSchema = z.array(
  z.looseObject({
    details: z
      .looseObject({ events: z.array(z.looseObject({ channel_expiry: time.nullish().catch(null) })).catch([]) })
      .catch({ events: [] }),
  }),
);

const maxPages = 20;
const unreadable = failed('unavailable', 'The suite CRM answered with something that is not a notification channel.');

/**
 * Manages the notification channels of the suite CRM: this server chooses their id, deliveries echo the token, and they
 * expire after at most 7 days (WREG-003). A provider that cannot list, change or close channels is reported as such; a
 * channel is then renewed by registering its id again.
 */
export class SuiteCrmWebhooks implements ProviderWebhooks {
  readonly service = 'suite_crm';
  readonly desired = desiredWebhooks;
  readonly abilities = { renews: true, removes: true };
  readonly secretVariable = 'SUITE_CRM_WEBHOOK_TOKEN';
  readonly hasSecret: boolean;
  readonly secretFingerprint: string | null;
  readonly #call: WebhookCall;
  readonly #token: string;
  readonly #now: () => number;

  constructor({ caller, tokens, secretId, now }: SuiteCrmWebhooksOptions) {
    this.#call = webhookCalls(caller, this.service);
    this.#token = tokens[0] ?? '';
    this.#now = now;
    this.hasSecret = tokens.length > 0;
    this.secretFingerprint = secretId;
  }

  newId(): string {
    return String(randomInt(10 ** 13, 10 ** 14));
  }

  async list(userId: number): Promise<Result<readonly RemoteWebhook[] | null, Failure>> {
    const entries: Entry[] = [];
    let next: string | null = null;
    for (let page = 0; page < maxPages; page += 1) {
      const outcome: Outcome = await this.#call(userId, 'watch.list', next === null ? {} : { page: next });
      if (!outcome.ok) return isUnsupported(outcome) ? ok(null) : err(outcome);
      const listed = listSchema.safeParse(outcome.data);
      if (!listed.success) return err(unreadable);
      entries.push(...listed.data);
      next = outcome.pagination?.next ?? null;
      if (next === null) return ok(channelsOf(entries));
    }
    return err(failed('too_large', 'The suite CRM lists more channels than can be looked through.'));
  }

  async create(desired: DesiredWebhook, id: string | null): Promise<Result<RegisteredWebhook, WebhookFailure>> {
    const remoteId = id ?? this.newId();
    const { channel, expiresAt } = this.#channel(desired, remoteId);
    const outcome = await this.#call(desired.userId, 'watch.create', { watch: [channel] });
    if (!outcome.ok) return err({ failure: outcome, mayBeDone: outcome.reason === 'unavailable' });
    return ok({ remoteId, expiresAt: endOf(outcome.data, expiresAt), warning: null });
  }

  async renew(desired: DesiredWebhook, remoteId: string): Promise<Result<RegisteredWebhook, Failure>> {
    const { channel, expiresAt } = this.#channel(desired, remoteId);
    const outcome = await this.#call(desired.userId, 'watch.renew', { watch: [channel] });
    if (outcome.ok) return ok({ remoteId, expiresAt: endOf(outcome.data, expiresAt), warning: null });
    if (!isUnsupported(outcome)) return err(outcome);
    const again = await this.create(desired, remoteId);
    return again.ok ? again : err(again.failure.failure);
  }

  async remove(userId: number, remoteId: string, signal?: AbortSignal): Promise<Result<void, Failure>> {
    const outcome = await this.#call(userId, 'watch.delete', { channel_ids: [remoteId] }, signal);
    // Not found or unsupported: the channel is already gone, or expires by itself.
    return outcome.ok || isUnsupported(outcome) ? ok(undefined) : err(outcome);
  }

  #channel({ events, url }: DesiredWebhook, remoteId: string) {
    const expiresAt = Math.floor((this.#now() + channelLifeMs) / 1000) * 1000;
    const channelExpiry = new Date(expiresAt).toISOString().replace('.000Z', '+00:00');
    const channel = {
      channel_id: remoteId,
      events,
      notify_url: url,
      token: this.#token,
      channel_expiry: channelExpiry,
    };
    return { channel, expiresAt };
  }
}

type Entry = z.output<typeof listSchema>[number];

/** Joins the entries of each channel, which is listed once per module; its events are null if an entry has none. */
function channelsOf(entries: readonly Entry[]): readonly RemoteWebhook[] {
  return [...Map.groupBy(entries, ({ channel_id: id }) => id)].map(([remoteId, parts]) => {
    const events = parts.every((part) => (part.events ?? []).length > 0)
      ? wholeEvents(parts.flatMap((part) => part.events ?? []))
      : null;
    const ends = parts.flatMap((part) => part.channel_expiry ?? []);
    const expiresAt = ends.length === 0 ? null : Math.min(...ends);
    return { remoteId, url: parts[0]?.notify_url ?? '', events, expiresAt, isEnabled: true };
  });
}

/** Writes a module's events as `all` when its three kinds of change are listed one by one. */
function wholeEvents(events: readonly string[]): readonly string[] {
  const isWhole = (module: string) =>
    ['create', 'edit', 'delete'].every((kind) => events.includes(`${module}.${kind}`));
  return events.map((event) => {
    const [module = ''] = event.split('.');
    return isWhole(module) ? `${module}.all` : event;
  });
}

/** When the provider says that the channel expires: the earliest of its events, else the requested time. */
function endOf(data: unknown, asked: number): number {
  const results = resultSchema.safeParse(data).data ?? [];
  const ends = results.flatMap(({ details }) => details.events.flatMap(({ channel_expiry: end }) => end ?? []));
  return Math.min(asked, ...ends);
}

/** Whether a call failed because the provider lacks the operation, or the channel. */
function isUnsupported({ reason }: Failure): boolean {
  return reason === 'not_found' || reason === 'rejected';
}
