import type { Connections } from '#application/ports/connections.ts';
import type { ProviderWebhooks, WebhookAddress } from '#application/ports/provider-webhooks.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import { ApplyStep } from '#application/webhook-registrations/apply-step.ts';
import {
  type RegistrationDependencies,
  registrationLease,
  registrationLeaseMs,
  webhooksOf,
} from '#application/webhook-registrations/registration-dependencies.ts';
import { desiredWebhooksFor } from '#domain/webhook-registrations/desired-webhooks.ts';
import { isCheckDue, nextStep, orphans, strangers } from '#domain/webhook-registrations/next-step.ts';
import { isPutOff } from '#domain/webhook-registrations/renewal.ts';
import {
  type DesiredWebhook,
  type RemoteWebhook,
  type WebhookRegistration,
  wanted,
} from '#domain/webhook-registrations/webhook-registration.ts';

/** The dependencies of the use case, in addition to the shared ones. */
export type ReconcileDependencies = RegistrationDependencies &
  Readonly<{
    connections: Pick<Connections, 'reload'>;
    inbox: Pick<WebhookInbox, 'lastReceived'>;
    /** The user over whose connections the webhooks are registered (WREG-001). */
    automation: Pick<AutomationUser, 'id' | 'reasonToWait'>;
    addressOf: WebhookAddress;
  }>;

/**
 * Extends the lease; false when another process holds it or the run was aborted, after which nothing may be changed.
 */
type RenewLease = () => Promise<boolean>;
type Pair = Readonly<{ desired: DesiredWebhook; line: WebhookRegistration }>;

/**
 * Reconciles the providers' webhooks with the desired ones: registers missing ones, renews those about to expire,
 * recreates those that the provider disabled or lost, and removes undesired ones. Only one process does so at a time;
 * failures are retried later.
 */
export class ReconcileRegistrations {
  readonly #dependencies: ReconcileDependencies;
  readonly #applyStep: ApplyStep;

  constructor(dependencies: ReconcileDependencies) {
    this.#dependencies = dependencies;
    this.#applyStep = new ApplyStep(dependencies);
  }

  /**
   * Reconciles all services and returns the number of webhooks created, renewed or adopted; 0 when another process
   * holds the lease. Starts nothing more once `signal` is aborted.
   */
  async run(signal?: AbortSignal): Promise<number> {
    const { leases, random, providers, automation } = this.#dependencies;
    const owner = random.token(12);
    const renewLease = async () =>
      signal?.aborted !== true && (await leases.acquire(registrationLease, owner, registrationLeaseMs)) !== null;
    if (!(await renewLease())) return 0;
    try {
      let done = 0;
      for (const service of new Set(providers.map((webhooks) => webhooks.service))) {
        const webhooks = await webhooksOf(this.#dependencies, automation.id, service);
        if (webhooks !== undefined) done += await this.#reconcileService(webhooks, renewLease);
      }
      return done;
    } finally {
      await leases.release(registrationLease, owner);
    }
  }

  async #reconcileService(webhooks: ProviderWebhooks, renewLease: RenewLease): Promise<number> {
    const desiredWebhooks = await this.#desiredWebhooks(webhooks);
    if (desiredWebhooks === null) return 0;
    const lines = (await this.#dependencies.registrations.list()).filter(({ service }) => service === webhooks.service);
    for (const line of lines) {
      if (!desiredWebhooks.some((desired) => isOf(line, desired)) && (await renewLease()))
        await this.#removeUndesired(webhooks, line);
    }
    const pairs = await this.#pairs(desiredWebhooks, lines);
    const now = this.#dependencies.clock.now();
    if (!pairs.some(({ desired, line }) => isCheckDue(line, desired, now)) || !(await renewLease())) return 0;
    const remote = await webhooks.list(this.#dependencies.automation.id);
    const ready = pairs.filter(({ line }) => !isPutOff(line.retryAt, now));
    if (remote.ok)
      return this.#reconcile(webhooks, renewLease, { pairs: ready, remote: remote.value, desiredWebhooks });
    for (const { line } of ready) await this.#applyStep.failed(line, remote.failure);
    return 0;
  }

  /** Returns the desired webhooks; null when nothing may be changed. */
  async #desiredWebhooks(webhooks: ProviderWebhooks): Promise<readonly DesiredWebhook[] | null> {
    const { connections, automation, addressOf } = this.#dependencies;
    const address = addressOf(webhooks);
    if (!address.ok || (await automation.reasonToWait()) !== null) return null;
    const { id: userId } = automation;
    const connection = await connections.reload(userId, webhooks.service);
    if (connection === null) return [];
    if (connection.status.state === 'reconnect') return null;
    const { extra } = connection.record;
    const { secretFingerprint } = webhooks;
    return desiredWebhooksFor(webhooks, { userId, url: address.value, secretFingerprint, extra });
  }

  /** Pairs each desired webhook with its row, which is created when missing. */
  async #pairs(
    desiredWebhooks: readonly DesiredWebhook[],
    lines: readonly WebhookRegistration[],
  ): Promise<readonly Pair[]> {
    const { registrations, clock } = this.#dependencies;
    const pairs: Pair[] = [];
    for (const desired of desiredWebhooks) {
      const line =
        lines.find((candidate) => isOf(candidate, desired)) ?? (await registrations.keep(wanted(desired, clock.now())));
      if (line !== null) pairs.push({ desired, line });
    }
    return pairs;
  }

  async #reconcile(
    webhooks: ProviderWebhooks,
    renewLease: RenewLease,
    seen: Readonly<{
      pairs: readonly Pair[];
      remote: readonly RemoteWebhook[] | null;
      desiredWebhooks: readonly DesiredWebhook[];
    }>,
  ): Promise<number> {
    const { inbox, clock, registrations } = this.#dependencies;
    const { pairs, remote, desiredWebhooks } = seen;
    const { abilities } = webhooks;
    const lastDeliveryAt = await inbox.lastReceived(webhooks.service);
    const entries = await registrations.list();
    const others = strangers(remote ?? [], desiredWebhooks, { entries, abilities });
    let done = 0;
    for (const { desired, line } of pairs) {
      if (!(await renewLease())) return done;
      const step = nextStep({ desired, entry: line, remote, abilities, lastDeliveryAt, now: clock.now() });
      const listed = remote?.find(({ remoteId }) => remoteId === line.remoteId) ?? null;
      if (await this.#applyStep.run({ webhooks, desired, line, remote: listed, others }, step)) done += 1;
    }
    if (remote !== null && (await renewLease())) await this.#removeOrphans(webhooks, remote, desiredWebhooks);
    return done;
  }

  /** Removes webhooks that duplicate a registered one. */
  async #removeOrphans(
    webhooks: ProviderWebhooks,
    remote: readonly RemoteWebhook[],
    desiredWebhooks: readonly DesiredWebhook[],
  ): Promise<void> {
    if (!webhooks.abilities.removes) return;
    const { registrations, logger, automation } = this.#dependencies;
    const entries = await registrations.list();
    for (const { remoteId } of orphans(remote, desiredWebhooks, { entries, abilities: webhooks.abilities })) {
      const removed = await webhooks.remove(automation.id, remoteId);
      const fields = { service: webhooks.service, remoteId, isRemoved: removed.ok };
      logger.warn(fields, 'Orphan webhook delivered the same a second time');
    }
  }

  /** Removes the row of a webhook that is no longer desired, and the webhook itself if the connection still exists. */
  async #removeUndesired(webhooks: ProviderWebhooks, line: WebhookRegistration): Promise<void> {
    const { registrations, connections, clock } = this.#dependencies;
    const now = clock.now();
    const isOver = line.remoteId === null || (line.expiresAt !== null && line.expiresAt <= now);
    if (isOver) {
      await registrations.remove(line);
      return;
    }
    if (line.state === 'left' || isPutOff(line.retryAt, now)) return;
    const isConnected = (await connections.reload(line.userId, line.service)) !== null;
    if (!webhooks.abilities.removes || !isConnected) {
      await registrations.keep({ ...line, state: 'left', since: now, reason: leftReason });
      return;
    }
    const removed = await webhooks.remove(line.userId, line.remoteId ?? '');
    if (removed.ok) await registrations.remove(line);
    else await this.#applyStep.failed(line, removed.failure);
  }
}

/** The reason shown for a webhook that remains at the provider. */
export const leftReason = 'It is still registered at the provider, and cannot be removed from here: remove it there.';

function isOf(line: WebhookRegistration, desired: DesiredWebhook): boolean {
  return line.userId === desired.userId && line.service === desired.service && line.name === desired.name;
}
