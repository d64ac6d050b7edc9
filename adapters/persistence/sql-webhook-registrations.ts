import { WebhookRegistrationRow } from '#adapters/persistence/schema/webhook-registrations.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores webhook registrations in the database; each change is one conditional statement, so that concurrent writers detect each other. */
export class SqlWebhookRegistrations implements WebhookRegistrations {
  readonly #registrations;

  constructor(database: Database) {
    this.#registrations = new Table(database, WebhookRegistrationRow);
  }

  list(): Promise<readonly WebhookRegistration[]> {
    return this.#registrations.list({}, { userId: 'asc', service: 'asc', name: 'asc' });
  }

  async keep(line: WebhookRegistration): Promise<WebhookRegistration | null> {
    const { userId, service, name, version } = line;
    const kept = { ...line, version: version + 1 };
    const isKept =
      version === 0
        ? await this.#registrations.add(kept)
        : (await this.#registrations.update({ userId, service, name, version }, kept)) === 1;
    return isKept ? kept : null;
  }

  async remove({ userId, service, name, version }: WebhookRegistration): Promise<boolean> {
    return (await this.#registrations.delete({ userId, service, name, version })) === 1;
  }
}
