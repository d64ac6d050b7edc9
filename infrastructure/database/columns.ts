import { defineEntity, p, Type } from '@mikro-orm/core';
import { z } from 'zod';

/** The database types of columns. */
export type ColumnType = 'bigint' | 'text' | 'boolean';

const whole = z.coerce.number().int();

/**
 * A column whose values are checked when a row is read. `schema` reads what the database returns, `encode` gives what is
 * stored. The ORM copies this object, so it has no private members, and what it must not copy is returned by functions.
 */
export class Column<Value> extends Type<Value, unknown> {
  readonly schema: () => z.ZodType<Value>;
  readonly columnType: ColumnType;
  readonly encode: (value: Value) => unknown;

  constructor(schema: z.ZodType<Value>, type: ColumnType, encode: (value: Value) => unknown = (value) => value) {
    super();
    this.schema = () => schema;
    this.columnType = type;
    this.encode = encode;
  }

  override convertToDatabaseValue(value: Value | null | undefined): unknown {
    return value === null || value === undefined ? value : this.encode(value);
  }

  override getColumnType(): ColumnType {
    return this.columnType;
  }
}

const json = <Value>(schema: z.ZodType<Value>) =>
  p.type(new Column<Value>(z.string().transform(parsed).pipe(schema), 'text', (value) => JSON.stringify(value)));

/** The kinds of columns. */
export const column = {
  /** An integer. PostgreSQL returns it as text. */
  whole: () => p.type(new Column(whole, 'bigint')),
  text: () => p.type(new Column(z.string(), 'text')),
  /** One of some texts. */
  oneOf: <const Texts extends readonly string[]>(texts: Texts) =>
    p.type(new Column<Texts[number]>(z.enum(texts), 'text')),
  /** True or false. SQLite returns it as a number. */
  flag: () =>
    p.type(new Column<boolean>(z.union([z.boolean(), z.number().transform((value) => value !== 0)]), 'boolean')),
  /** True or false, stored as 1 or 0. */
  bit: () =>
    p.type(
      new Column<boolean>(
        whole.transform((value) => value === 1),
        'bigint',
        Number,
      ),
    ),
  /** A value that is stored as JSON text. */
  json,
  /** A list of texts, stored as JSON. */
  list: () => json<readonly string[]>(z.array(z.string())),
};

function parsed(text: string): unknown {
  return JSON.parse(text);
}

/** Defines the entity of a table. The columns of `unique` together identify a row, beside the primary key. */
export function table<const Name extends string, const Properties extends Readonly<Record<string, object>>>(
  name: Name,
  properties: Properties,
  unique: readonly (keyof Properties & string)[] = [],
) {
  return defineEntity({
    name,
    tableName: name,
    properties,
    uniques: unique.length === 0 ? [] : [{ properties: [...unique] }],
  });
}
