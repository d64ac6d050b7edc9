import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderWebhooks, RegisteredWebhook } from '#application/ports/provider-webhooks.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { conflictText, doublesText, isAboutDoubles } from '#application/webhook-registrations/other-webhooks.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { RegistrationStep, StepReason } from '#domain/webhook-registrations/next-step.ts';
import { registrationRetryMs } from '#domain/webhook-registrations/renewal.ts';
import type {
  DesiredWebhook,
  RemoteWebhook,
  WebhookRegistration,
} from '#domain/webhook-registrations/webhook-registration.ts';

/**
 * The registration to change. `remote` is the webhook in the provider's list; null when it is not listed. `others` are
 * those that somebody made by hand for the same URL.
 */
type Subject = Readonly<{
  webhooks: ProviderWebhooks;
  desired: DesiredWebhook;
  line: WebhookRegistration;
  remote: RemoteWebhook | null;
  others: readonly RemoteWebhook[];
}>;

const doubt =
  'The answer to its registration was lost, and this service cannot report whether it is registered. It is not registered ' +
  'again, so that nothing comes twice. If no delivery comes: remove it in the settings of the service if it is there, then ' +
  'disconnect here and connect again.';

/**
 * Applies one step to one registration. The intent is stored before the provider is called, and the result after; a row
 * that another process has changed in the meantime is left alone.
 */
export class ApplyStep {
  readonly #registrations: WebhookRegistrations;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor({
    registrations,
    clock,
    logger,
  }: Readonly<{ registrations: WebhookRegistrations; clock: Clock; logger: Logger }>) {
    this.#registrations = registrations;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Applies the step; true when a webhook was created, renewed or adopted. */
  async run(subject: Subject, step: RegistrationStep): Promise<boolean> {
    switch (step.do) {
      case 'nothing':
        await this.#checked(subject);
        return false;
      case 'doubt':
        return this.#doubt(subject);
      case 'adopt':
        return this.#adopt(subject, step);
      case 'renew':
        return this.#renew(subject, step);
      case 'create':
        return this.#create(subject, step);
    }
  }

  /** Records a failure in the row, with the time of the retry. */
  async failed(line: WebhookRegistration, { message, retryAfterMs = 0 }: Failure): Promise<void> {
    const failures = line.failures + 1;
    const retryAt = this.#clock.now() + registrationRetryMs(failures, retryAfterMs);
    await this.#registrations.keep({ ...line, failures, retryAt, reason: message });
    const { service, name, state } = line;
    this.#logger.warn({ service, name, state, failures, reason: message }, 'Webhook registration failed');
  }

  async #checked({ desired, line, remote, others }: Subject): Promise<void> {
    if (line.state !== 'active') return;
    const expiresAt = remote?.expiresAt ?? line.expiresAt;
    const warning = doublesText(others, desired);
    const isOver = line.failures > 0 || isAboutDoubles(line.reason);
    const reason = warning ?? (isOver ? null : line.reason);
    if (warning !== null && warning !== line.reason) this.#logger.warn({ service: line.service }, warning);
    const checkedAt = this.#clock.now();
    await this.#registrations.keep({ ...line, failures: 0, reason, expiresAt, checkedAt, retryAt: null });
  }

  async #doubt({ line }: Subject): Promise<boolean> {
    await this.#registrations.keep({ ...line, state: 'uncertain', failures: 0, retryAt: null, reason: doubt });
    this.#logger.warn({ service: line.service, name: line.name }, `A webhook may be registered. ${doubt}`);
    return false;
  }

  async #adopt({ desired, line, others }: Subject, step: Extract<RegistrationStep, { do: 'adopt' }>): Promise<boolean> {
    const { remoteId, expiresAt, reason } = step;
    const registeredAt = line.registeredAt ?? line.since;
    const kept = await this.#registrations.keep({
      ...line,
      ...desired,
      ...this.#active(line),
      remoteId,
      expiresAt,
      registeredAt,
      reason: doublesText(others, desired),
    });
    if (kept !== null) this.#log(kept, reason, 'An existing webhook was adopted');
    return kept !== null;
  }

  async #renew(
    { webhooks, desired, line, others }: Subject,
    step: Extract<RegistrationStep, { do: 'renew' }>,
  ): Promise<boolean> {
    const renewed = await webhooks.renew(desired, step.remoteId);
    if (!renewed.ok) {
      // What is at the provider delivers nothing, elsewhere, or something else: it does not count as registered.
      const isWrong = step.reason === 'changed' || step.reason === 'disabled';
      const failure = named(renewed.failure, others);
      await this.failed(isWrong ? { ...line, state: 'wanted', since: this.#clock.now() } : line, failure);
      return false;
    }
    const kept = await this.#registered({ ...line, ...desired }, warned(renewed.value, { desired, others }));
    if (kept !== null) this.#log(kept, step.reason, 'A webhook was renewed');
    return kept !== null;
  }

  async #create(subject: Subject, step: Extract<RegistrationStep, { do: 'create' }>): Promise<boolean> {
    const { webhooks, desired } = subject;
    const cleared = await this.#clear(subject, step);
    if (cleared === null) return false;
    const id = webhooks.newId();
    const fresh = { remoteId: id, registeredAt: null, expiresAt: null, since: this.#clock.now() };
    const intent = await this.#registrations.keep({ ...cleared, ...desired, ...fresh, state: 'registering' });
    if (intent === null) return false;
    const made = await webhooks.create(desired, id);
    if (!made.ok) {
      const { failure, mayBeDone } = made.failure;
      const line = mayBeDone ? intent : ({ ...intent, state: 'wanted', remoteId: null } as const);
      await this.failed(line, named(failure, subject.others));
      return false;
    }
    const kept = await this.#registered(intent, warned(made.value, subject));
    if (kept !== null) this.#log(kept, step.reason, 'A webhook was registered');
    else await this.#undo(subject, made.value.remoteId);
    return kept !== null;
  }

  /**
   * Removes the webhook to be replaced, or logs one that has to stay; returns the updated row, null when the removal
   * failed.
   */
  async #clear({ webhooks, desired, line }: Subject, step: Extract<RegistrationStep, { do: 'create' }>) {
    const { replaces, reason } = step;
    if (replaces === null) {
      const isLeft = line.remoteId !== null && (reason === 'changed' || reason === 'account_changed');
      if (isLeft) this.#logger.warn({ service: line.service, remoteId: line.remoteId, reason }, leftThere);
      return line;
    }
    // The webhook may be removed from here on: a crash before the new one is created must not leave a row that says it
    // exists.
    const going = await this.#registrations.keep({
      ...line,
      state: 'wanted',
      remoteId: replaces,
      since: this.#clock.now(),
    });
    if (going === null) return null;
    const removed = await webhooks.remove(desired.userId, replaces);
    if (removed.ok) return going;
    await this.failed(going, removed.failure);
    return null;
  }

  /** Removes a webhook whose row another process changed while it was being created, to avoid duplicates. */
  async #undo({ webhooks, desired, line }: Subject, remoteId: string): Promise<void> {
    const { service, name } = line;
    const isRemoved = webhooks.abilities.removes && (await webhooks.remove(desired.userId, remoteId)).ok;
    this.#logger.warn({ service, name, remoteId, isRemoved }, 'Webhook registered after its registration had changed');
  }

  #registered(line: WebhookRegistration, webhook: RegisteredWebhook): Promise<WebhookRegistration | null> {
    const { remoteId, expiresAt, warning } = webhook;
    const registeredAt = this.#clock.now();
    return this.#registrations.keep({
      ...line,
      ...this.#active(line),
      remoteId,
      expiresAt,
      registeredAt,
      reason: warning,
    });
  }

  #active(line: WebhookRegistration) {
    const now = this.#clock.now();
    const since = line.state === 'active' ? line.since : now;
    return { state: 'active', since, checkedAt: now, failures: 0, retryAt: null, reason: null } as const;
  }

  #log(
    { service, name, remoteId, expiresAt, reason: warning }: WebhookRegistration,
    why: StepReason,
    message: string,
  ): void {
    const log = warning === null ? 'info' : 'warn';
    this.#logger[log]({ service, name, remoteId, expiresAt, why, warning }, message);
  }
}

const leftThere = 'A webhook remains at the provider and cannot be removed from here: remove it there';

/** The failure with the webhooks made by hand that may be its reason. */
const named = (failure: Failure, others: readonly RemoteWebhook[]): Failure => ({
  ...failure,
  message: `${failure.message}${conflictText(failure, others)}`,
});

/** The webhook's own warning takes precedence. */
function warned(
  webhook: RegisteredWebhook,
  { others, desired }: Pick<Subject, 'others' | 'desired'>,
): RegisteredWebhook {
  return { ...webhook, warning: webhook.warning ?? doublesText(others, desired) };
}
