import type { NewOutgoing, Notifications } from '#application/ports/notifications.ts';
import { type Channel, messageId, type Notification } from '#domain/notifications/notification.ts';

/** The dependencies; `isHeard` says which of the two ways are set up. */
type NotifyDependencies = Readonly<{
  notifications: Pick<Notifications, 'add'>;
  now: () => number;
  isHeard: Readonly<{ byWebhook: boolean; byMail: boolean }>;
}>;

/** Takes down what people are to hear of, for every way of sending that is set up; it is sent in the background. */
export class Notify {
  readonly #dependencies: NotifyDependencies;
  #onAdded: () => void = () => {};

  constructor(dependencies: NotifyDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether anything is sent at all. */
  get isOn(): boolean {
    const { byWebhook, byMail } = this.#dependencies.isHeard;
    return byWebhook || byMail;
  }

  /** Has `onAdded` called when one was added by this process, in place of an earlier one. */
  listen(onAdded: () => void): void {
    this.#onAdded = onAdded;
  }

  /** What is sent of an occasion: one message for each way of sending that is set up. */
  outgoing(given: Omit<Notification, 'at'>): readonly NewOutgoing[] {
    const { now, isHeard } = this.#dependencies;
    const notification = { ...given, at: now() };
    const channels: readonly Channel[] = [
      ...(isHeard.byWebhook ? (['webhook'] as const) : []),
      ...(isHeard.byMail ? [given.userId === null ? ('administrators' as const) : ('mail' as const)] : []),
    ];
    return channels.map((channel) => ({ ...notification, channel, id: messageId(notification, channel) }));
  }

  /** Stores the notification durably; once for each occasion. */
  async run(given: Omit<Notification, 'at'>): Promise<void> {
    for (const one of this.outgoing(given)) {
      if (await this.#dependencies.notifications.add(one)) this.#onAdded();
    }
  }

  /** Has what another store added with its own rows sent at once. */
  wake(): void {
    this.#onAdded();
  }
}
