import { z } from 'zod';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { registrationStates, type WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.coerce.number().int();
const wholeOrNull = z.union([z.null(), whole]);
const eventsSchema = z.array(z.string());

/** A row as drivers return it: PostgreSQL returns integers as strings. */
const rowSchema = z.object({
  user_id: whole,
  service: z.string(),
  name: z.string(),
  events: z.string(),
  url: z.string(),
  secret_mark: z.string().nullable(),
  account: z.string().nullable(),
  state: z.enum(registrationStates),
  since: whole,
  remote_id: z.string().nullable(),
  registered_at: wholeOrNull,
  expires_at: wholeOrNull,
  checked_at: wholeOrNull,
  failures: whole,
  retry_at: wholeOrNull,
  reason: z.string().nullable(),
  version: whole,
});

const columns = Object.keys(rowSchema.shape);
const place = { table: 'subscriptions', keys: ['user_id', 'service', 'name'] } as const;

/** Stores webhook registrations in the database; each change is one conditional statement, so that concurrent writers detect each other. */
export class SqlWebhookRegistrations implements WebhookRegistrations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<readonly WebhookRegistration[]> {
    const rows = await this.#all('select * from subscriptions order by user_id, service, name', []);
    return this.#database.rows.read(place, rows, toLine);
  }

  async keep(line: WebhookRegistration): Promise<WebhookRegistration | null> {
    const kept = { ...line, version: line.version + 1 };
    const rows = line.version === 0 ? await this.#add(kept) : await this.#change(kept, line.version);
    return rows.length === 1 ? kept : null;
  }

  async remove({ userId, service, name, version }: WebhookRegistration): Promise<boolean> {
    const where = 'user_id = ? and service = ? and name = ? and version = ?';
    const rows = await this.#all(`delete from subscriptions where ${where} returning name`, [
      userId,
      service,
      name,
      version,
    ]);
    return rows.length === 1;
  }

  #add(line: WebhookRegistration): Promise<readonly unknown[]> {
    const places = columns.map(() => '?').join(', ');
    return this.#all(
      `insert into subscriptions (${columns.join(', ')}) values (${places})
       on conflict (user_id, service, name) do nothing returning name`,
      valuesOf(line),
    );
  }

  #change(line: WebhookRegistration, version: number): Promise<readonly unknown[]> {
    return this.#all(
      `update subscriptions set ${columns.map((column) => `${column} = ?`).join(', ')}
       where user_id = ? and service = ? and name = ? and version = ? returning name`,
      [...valuesOf(line), line.userId, line.service, line.name, version],
    );
  }

  #all(sql: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, [...values]);
  }
}

/** The values in column order. */
function valuesOf(line: WebhookRegistration): readonly unknown[] {
  const row: Readonly<Record<keyof z.output<typeof rowSchema>, unknown>> = {
    user_id: line.userId,
    service: line.service,
    name: line.name,
    events: JSON.stringify(line.events),
    url: line.url,
    secret_mark: line.secretFingerprint,
    account: line.account,
    state: line.state,
    since: line.since,
    remote_id: line.remoteId,
    registered_at: line.registeredAt,
    expires_at: line.expiresAt,
    checked_at: line.checkedAt,
    failures: line.failures,
    retry_at: line.retryAt,
    reason: line.reason,
    version: line.version,
  };
  return Object.values(row);
}

function toLine(raw: unknown): WebhookRegistration {
  const row = rowSchema.parse(raw);
  return {
    userId: row.user_id,
    service: row.service,
    name: row.name,
    events: eventsSchema.parse(JSON.parse(row.events)),
    url: row.url,
    secretFingerprint: row.secret_mark,
    account: row.account,
    state: row.state,
    since: row.since,
    remoteId: row.remote_id,
    registeredAt: row.registered_at,
    expiresAt: row.expires_at,
    checkedAt: row.checked_at,
    failures: row.failures,
    retryAt: row.retry_at,
    reason: row.reason,
    version: row.version,
  };
}
