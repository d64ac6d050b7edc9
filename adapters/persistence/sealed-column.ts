import { z } from 'zod';
import type { KeyCount, Reencrypted, SealedValues } from '#application/ports/sealed-values.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** Encrypts column values; `context` binds a value to its place. `open` throws `NotOpened` for a text that was not encrypted there. */
export type ColumnBox = Readonly<{
  seal(text: string, context: string): string;
  open(text: string, context: string): string;
}>;

/** A box that knows which of its keys encrypted a text. */
export type RotatingBox = ColumnBox & Readonly<{ keyId: string; knows(keyId: string): boolean }>;

/** A column of sealed texts: its table, the number that orders the rows, and the columns that make up a text's context. */
export type SealedColumnPlace = Readonly<{
  name: string;
  table: string;
  order: string;
  column: string;
  contextColumns: readonly string[];
}>;

/** The sealed columns of the outbound tokens (CONN-013). */
export const tokenColumns: readonly SealedColumnPlace[] = (['access_token', 'refresh_token'] as const).map(
  (column) => ({
    name: `outbound_tokens.${column}`,
    table: 'outbound_tokens',
    order: 'id',
    column,
    contextColumns: ['user_id', 'service'],
  }),
);

/** The sealed column of the webhook inbox. */
export const inboxBody: SealedColumnPlace = {
  name: 'webhook_inbox.body',
  table: 'webhook_inbox',
  order: 'seq',
  column: 'body',
  contextColumns: ['service', 'delivery_id'],
};

const batchSize = 100;
const countsSchema = z.array(z.object({ key_id: z.string(), sealed: z.coerce.number() }));
const rowsSchema = z.array(z.object({ place: z.coerce.number(), sealed: z.string(), context: z.string() }));

/** Re-encrypts a column whose texts an `AesGcmBox` sealed: the key's id is in each text, after `v1.`. */
export class SealedColumn implements SealedValues {
  readonly name: string;
  readonly #database: Database;
  readonly #box: RotatingBox;
  readonly #place: SealedColumnPlace;

  constructor(database: Database, box: RotatingBox, place: SealedColumnPlace) {
    this.name = place.name;
    this.#database = database;
    this.#box = box;
    this.#place = place;
  }

  async count(): Promise<readonly KeyCount[]> {
    const { table, column } = this.#place;
    const rows: unknown = await this.#database.em.fork().execute(
      `select substr(${column}, 4, 8) as key_id, count(*) as sealed from ${table} where ${column} is not null
         group by substr(${column}, 4, 8) order by 2 desc`,
    );
    return countsSchema.parse(rows).map(({ key_id: keyId, sealed: values }) => ({
      keyId,
      values,
      isCurrent: keyId === this.#box.keyId,
      isKnown: this.#box.knows(keyId),
    }));
  }

  async reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted> {
    const counts = await this.count();
    const total = counts.reduce((sum, { isCurrent, values }) => sum + (isCurrent ? 0 : values), 0);
    let sofar: Reencrypted = { reencrypted: 0, unreadable: 0, total };
    let after = -1;
    while (!signal.aborted) {
      const batch = await this.#outdatedAfter(after);
      const last = batch.at(-1);
      if (last === undefined) break;
      after = last.place;
      const { reencrypted, unreadable } = await this.#reencryptAll(batch);
      sofar = { total, reencrypted: sofar.reencrypted + reencrypted, unreadable: sofar.unreadable + unreadable };
      onBatch(sofar);
    }
    return sofar;
  }

  async #outdatedAfter(after: number): Promise<z.output<typeof rowsSchema>> {
    const { table, order, column, contextColumns } = this.#place;
    const context = contextColumns.map((name) => `cast(${name} as text)`).join(` || '/' || `);
    const rows: unknown = await this.#database.em.fork().execute(
      `select ${order} as place, ${column} as sealed, ${context} as context from ${table}
       where ${column} is not null and substr(${column}, 4, 8) <> ? and ${order} > ? order by ${order} limit ${batchSize}`,
      [this.#box.keyId, after],
    );
    return rowsSchema.parse(rows);
  }

  /** Re-encrypts a batch in one transaction: one interrupted in the middle leaves nothing changed. */
  #reencryptAll(batch: z.output<typeof rowsSchema>): Promise<Pick<Reencrypted, 'reencrypted' | 'unreadable'>> {
    const { table, order, column } = this.#place;
    return this.#database.em.fork().transactional(async (em) => {
      let unreadable = 0;
      let reencrypted = 0;
      for (const { place, sealed, context } of batch) {
        const anew = this.#anewOrNull(sealed, `${table}/${column}/${context}`);
        if (anew === null) unreadable += 1;
        else {
          const changed = await em.execute(
            `update ${table} set ${column} = ? where ${order} = ? and ${column} = ? returning ${order}`,
            [anew, place, sealed],
          );
          reencrypted += changed.length;
        }
      }
      return { reencrypted, unreadable };
    });
  }

  #anewOrNull(sealed: string, context: string): string | null {
    try {
      return this.#box.seal(this.#box.open(sealed, context), context);
    } catch {
      return null;
    }
  }
}
