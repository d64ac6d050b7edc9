import { z } from 'zod';
import { type OutboundToken, OutboundTokenRow } from '#adapters/persistence/outbound-token-row.ts';
import type { OutboundTokens, TokenPlace } from '#application/ports/outbound-tokens.ts';
import { type ServiceKey, serviceKeys } from '#domain/services/service-key.ts';
import { authMethods, isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import { NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** Seals column values; `context` ties a value to its place. `open` throws `NotOpened` for what was not sealed there. */
export type ColumnBox = Readonly<{
  seal(text: string, context: string): string;
  open(text: string, context: string): string;
}>;

const choices = z.object({ service: z.enum(serviceKeys), authMethod: z.enum(authMethods) });
const placed = z.object({ service: z.enum(serviceKeys) });
const extraSchema = z.record(z.string(), z.unknown());

/** Told once of a record whose tokens cannot be opened, and why; again when it could be meanwhile. */
export type OnUnreadable = (place: TokenPlace, error: NotOpened) => void;

/** The connections in the database, their tokens sealed. A record whose tokens cannot be opened comes without them. */
export class MikroOrmOutboundTokens implements OutboundTokens {
  readonly #database: Database;
  readonly #box: ColumnBox;
  readonly #onUnreadable: OnUnreadable;
  readonly #told = new Set<string>();

  constructor(database: Database, box: ColumnBox, onUnreadable: OnUnreadable = () => undefined) {
    this.#database = database;
    this.#box = box;
    this.#onUnreadable = onUnreadable;
  }

  async find(userId: number, service: ServiceKey): Promise<TokenRecord | null> {
    const row = await this.#database.em.fork().findOne(OutboundTokenRow, { userId, service });
    return row === null ? null : this.#toRecord(row);
  }

  async list(userId: number): Promise<readonly TokenRecord[]> {
    const rows = await this.#database.em.fork().find(OutboundTokenRow, { userId });
    const records = rows.map((row) => this.#toRecord(row));
    return serviceKeys.flatMap((service) => records.filter((record) => record.service === service));
  }

  async renewable(): Promise<readonly TokenPlace[]> {
    const where = { refreshToken: { $ne: null }, expiresAt: { $ne: null } };
    const fields = ['userId', 'service'] as const;
    const rows = await this.#database.em.fork().find(OutboundTokenRow, where, { fields, orderBy: { id: 'asc' } });
    return rows.map((row) => ({ userId: row.userId, service: placed.parse(row).service }));
  }

  async keep(record: TokenRecord): Promise<void> {
    const values = this.#valuesOf(record);
    await this.#database.em.fork().upsert(OutboundTokenRow, values, { onConflictFields: ['userId', 'service'] });
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    const { userId, service } = before;
    for (;;) {
      const em = this.#database.em.fork();
      const row = await em.findOne(OutboundTokenRow, { userId, service });
      if (row === null || !isReadable(before) || this.#toRecord(row).accessToken !== before.accessToken) return false;
      // A sealed text is like no other, so that it serves as the row's version. When it has changed and the token has not,
      // the row was sealed anew: look again.
      const sealed = { userId, service, accessToken: row.accessToken };
      if ((await em.nativeUpdate(OutboundTokenRow, sealed, this.#valuesOf(after))) > 0) return true;
    }
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return (await this.#database.em.fork().nativeDelete(OutboundTokenRow, { userId, service })) > 0;
  }

  #valuesOf({ accessToken, refreshToken, extra, ...plain }: TokenRecord) {
    const { userId, service } = plain;
    return {
      ...plain,
      accessToken: this.#box.seal(accessToken, contextOf('access_token', userId, service)),
      refreshToken:
        refreshToken === null ? null : this.#box.seal(refreshToken, contextOf('refresh_token', userId, service)),
      extra: JSON.stringify(extra),
    };
  }

  #toRecord(row: OutboundToken): TokenRecord {
    const { userId, scope, expiresAt, updatedAt } = row;
    const { service, authMethod } = choices.parse(row);
    return {
      userId,
      service,
      authMethod,
      ...this.#opened(row, { userId, service }),
      scope: scope ?? null,
      expiresAt: expiresAt ?? null,
      extra: extraSchema.parse(JSON.parse(row.extra)),
      updatedAt,
    };
  }

  #opened({ accessToken, refreshToken }: OutboundToken, place: TokenPlace): Tokens {
    const { userId, service } = place;
    const key = `${userId}/${service}`;
    const opened = (column: string, sealed: string) => this.#box.open(sealed, contextOf(column, userId, service));
    try {
      const tokens = {
        accessToken: opened('access_token', accessToken),
        refreshToken:
          refreshToken === null || refreshToken === undefined ? null : opened('refresh_token', refreshToken),
      };
      this.#told.delete(key);
      return tokens;
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      if (!this.#told.has(key)) this.#onUnreadable(place, error);
      this.#told.add(key);
      return { accessToken: '', refreshToken: null };
    }
  }
}

type Tokens = Pick<TokenRecord, 'accessToken' | 'refreshToken'>;

function contextOf(column: string, userId: number, service: ServiceKey): string {
  return `outbound_tokens/${column}/${userId}/${service}`;
}
