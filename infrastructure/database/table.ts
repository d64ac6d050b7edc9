import { setImmediate } from 'node:timers/promises';
import type { EntityData, EntitySchema, FilterQuery, QueryOrderMap, RequiredEntityData } from '@mikro-orm/core';
import { raw } from '@mikro-orm/core';
import type { QBFilterQuery, QueryBuilder, SqlEntityManager } from '@mikro-orm/sqlite';
import { z } from 'zod';
import { Column } from '#infrastructure/database/columns.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

/** A row of an entity as it is read: by property names, with null for what is not there. */
export type RowOf<Entity> = { readonly [Name in keyof Entity & string]-?: Exclude<Entity[Name], undefined> };

/** A row of an entity's table as it is read. */
export type TableRow<Schema> = Schema extends EntitySchema<infer Entity> ? RowOf<Entity> : never;

/** Values of some columns. */
type Values<Entity> = { readonly [Name in keyof Entity & string]?: NonNullable<Entity[Name]> };

/** A statement that returns rows. */
type Query = { execute(method: 'all', mapResults: false): Promise<unknown> };

/** The same, whose text is known. */
type WrittenQuery = Query & { getQuery(): string; getParams(): readonly unknown[] };

type TableColumn = Readonly<{ name: string; field: string; schema: z.ZodType; encode(value: unknown): unknown }>;

const rowsSchema = z.array(z.unknown());
const affectedSchema = z.object({ affectedRows: z.number() });

/** How many rows are deleted with one statement, among which others have their turn. */
const rowsOfPart = 500;

/**
 * A table, with statements that are typed by its entity. Rows are checked when they are read: one that does not fit is
 * left out and reported.
 */
export class Table<Entity extends object> {
  readonly #database: Database;
  readonly #entity: EntitySchema<Entity>;
  readonly #keys: readonly (keyof Entity & string)[];
  readonly #place: Readonly<{ table: string; keys: readonly string[] }>;
  readonly #readers = new Map<string, z.ZodType>();
  readonly #names: ReadonlySet<string>;
  readonly #columns: readonly TableColumn[];

  /** `keys` identify a row; the primary key if not given. */
  constructor(database: Database, entity: EntitySchema<Entity>, keys?: readonly (keyof Entity & string)[]) {
    this.#database = database;
    this.#entity = entity;
    const { tableName, props, primaryKeys } = database.em.getMetadata(entity);
    this.#columns = props.map(({ name, fieldNames: [field = name], customType, nullable }) => {
      if (!(customType instanceof Column)) throw new Error(`The column ${tableName}.${field} has no check`);
      return {
        name,
        field,
        schema: nullable === true ? customType.schema().nullable() : customType.schema(),
        encode: (value) => customType.convertToDatabaseValue(value) ?? null,
      };
    });
    this.#names = new Set(this.#columns.map(({ name }) => name));
    this.#keys = keys ?? primaryKeys;
    const named = new Set<string>(this.#keys);
    const fields = this.#columns.flatMap(({ name, field }) => (named.has(name) ? [field] : []));
    this.#place = { table: tableName, keys: fields };
  }

  /** All properties but one. */
  but<Name extends keyof Entity & string>(left: Name): readonly Exclude<keyof Entity & string, Name>[] {
    const isOther = (name: string): name is Exclude<keyof Entity & string, Name> => name !== left;
    return this.#columns.map(({ name }) => name).filter(isOther);
  }

  /** The columns of these properties, for a statement that is written as SQL. */
  fields(names: readonly string[]): string {
    return this.#columns.flatMap(({ name, field }) => (names.some((one) => one === name) ? [field] : [])).join(', ');
  }

  /** Begins a statement, within a transaction if one is given. */
  qb(em: SqlEntityManager = this.#database.em.fork()): QueryBuilder<Entity> {
    return em.qb(this.#entity);
  }

  /** Begins an insert. Members that are no columns are left out: a caller may pass more than its port names. */
  into(row: RequiredEntityData<Entity>, em?: SqlEntityManager) {
    return this.qb(em).insert(this.#columnsOf(row));
  }

  #columnsOf<Row extends object>(row: Row): Row {
    const columns = { ...row };
    for (const name of Object.keys(columns)) if (!this.#names.has(name)) Reflect.deleteProperty(columns, name);
    return columns;
  }

  /** Adds a row. */
  async insert(row: RequiredEntityData<Entity>, em?: SqlEntityManager): Promise<void> {
    await this.into(row, em).execute('run');
  }

  /**
   * Adds rows, all with the same members, by a statement that the ORM does not build: for many rows that takes longer
   * than the rest. `conflict` is SQL for those that are there.
   */
  async addAll(
    rows: readonly RequiredEntityData<Entity>[],
    statements: Statements = this.#database.direct,
    conflict = '',
  ): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const columns = this.#columns.filter(({ name }) => Object.hasOwn(first, name));
    const places = `(${columns.map(() => '?').join(', ')})`;
    await statements.execute(
      `insert into ${this.#place.table} (${columns.map(({ field }) => field).join(', ')})
       values ${rows.map(() => places).join(', ')} ${conflict}`,
      rows.flatMap((row) => columns.map(({ name, encode }) => encode(Reflect.get(row, name)))),
      'run',
    );
  }

  /** Changes the rows with these values by a statement that the ORM does not build either. */
  async change(
    where: Values<NoInfer<Entity>>,
    values: Partial<RowOf<Entity>>,
    statements: Statements = this.#database.direct,
  ): Promise<void> {
    const [set, asked] = [this.#bound(values), this.#bound(where)];
    const assigned = set.map(({ field }) => `${field} = ?`).join(', ');
    const sql = `update ${this.#place.table} set ${assigned} where ${conditionsOf(asked)}`;
    await statements.execute(sql, [...valuesOf(set), ...valuesOf(asked)], 'run');
  }

  /** The columns that these members are stored in, with what is stored. */
  #bound(members: object): readonly BoundColumn[] {
    const given = this.#columns.filter(({ name }) => Object.hasOwn(members, name));
    return given.map(({ name, field, encode }) => ({ field, value: encode(Reflect.get(members, name)) }));
  }

  /** Adds a row unless there is one with its keys; returns whether it did. */
  async add(row: RequiredEntityData<Entity>, em?: SqlEntityManager): Promise<boolean> {
    const added = await this.into(row, em)
      .onConflict(raw(`(${this.#place.keys.join(', ')})`))
      .ignore()
      .execute('run');
    return added.affectedRows === 1;
  }

  /** Adds a row, or replaces the columns of the one with its keys. */
  async put(row: RequiredEntityData<Entity>, em?: SqlEntityManager): Promise<void> {
    await this.into(row, em)
      .onConflict(raw(`(${this.#place.keys.join(', ')})`))
      .merge()
      .execute('run');
  }

  /** Changes the rows, and returns their number. */
  update(where: FilterQuery<NoInfer<Entity>>, values: EntityData<NoInfer<Entity>>): Promise<number> {
    return this.#database.em.fork().nativeUpdate(this.#entity, where, this.#columnsOf(values));
  }

  /** Deletes the rows, and returns their number. */
  delete(where: FilterQuery<NoInfer<Entity>>): Promise<number> {
    return this.#database.em.fork().nativeDelete(this.#entity, where);
  }

  /** Deletes the row with this key, a single column, and returns it; null when there is none. One caller gets it. */
  async take(key: string): Promise<RowOf<Entity> | null> {
    const { table, keys } = this.#place;
    // The query builder returns no rows that it deletes.
    const sql = `delete from ${table} where ${keys.join()} = ? returning *`;
    return this.read(await this.#database.em.fork().execute(sql, [key]))[0] ?? null;
  }

  /** Returns the first row with these values, or null. */
  async find(where: Values<NoInfer<Entity>>): Promise<RowOf<Entity> | null> {
    return (await this.having(where))[0] ?? null;
  }

  /**
   * Lists the rows with these values; all columns if none are named. The ORM does not build the statement: with each request
   * and sign-in several rows are found, and building takes longer than the rest.
   */
  async having<Name extends keyof Entity & string = keyof Entity & string>(
    where: Values<NoInfer<Entity>>,
    names?: readonly Name[],
  ): Promise<readonly Pick<RowOf<Entity>, Name>[]> {
    const asked = this.#bound(where);
    const fields = this.fields(names ?? this.#columns.map(({ name }) => name));
    const sql = `select ${fields} from ${this.#place.table} where ${conditionsOf(asked)}`;
    return this.read(await this.#database.direct.execute(sql, valuesOf(asked)), names);
  }

  /** Lists rows. */
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- empty only while the entity is not known
  list(where: QBFilterQuery<Entity>, orderBy?: QueryOrderMap<Entity>): Promise<readonly RowOf<Entity>[]> {
    const query = this.qb().select('*').where(where);
    return this.rows(orderBy === undefined ? query : query.orderBy(orderBy));
  }

  /** Deletes the rows after the first `max` in this order (SQL); at most 100, since a write adds few. */
  async evict(order: string, max: number, em: SqlEntityManager = this.#database.em.fork()): Promise<void> {
    await this.#deleteSome(em, `order by ${order} limit 100 offset ${max}`);
  }

  /**
   * Deletes the rows with a lesser value of this property, in parts, so that other statements run in between; returns
   * their number.
   */
  async deleteBefore(name: keyof Entity & string, before: number): Promise<number> {
    let deleted = 0;
    for (let more = rowsOfPart; more === rowsOfPart; deleted += more) {
      if (deleted > 0) await setImmediate();
      const em = this.#database.em.fork();
      more = await this.#deleteSome(em, `where ${this.fields([name])} < ? limit ${rowsOfPart}`, [Math.ceil(before)]);
    }
    return deleted;
  }

  /** Deletes the rows that a selection of their keys ends with; returns their number. */
  async #deleteSome(em: SqlEntityManager, selection: string, values: unknown[] = []): Promise<number> {
    const { table, keys } = this.#place;
    const names = keys.join(', ');
    // Row values, which the query builder does not write.
    const sql = `delete from ${table} where (${names}) in (select ${names} from ${table} ${selection})`;
    return affectedSchema.parse(await em.execute(sql, values, 'run')).affectedRows;
  }

  /** Runs a statement that returns whole rows. */
  async rows(query: Query): Promise<readonly RowOf<Entity>[]> {
    return this.read(await query.execute('all', false));
  }

  /** Runs a statement that returns these columns. */
  async some<Name extends keyof Entity & string>(
    query: Query,
    names: readonly Name[],
  ): Promise<readonly Pick<RowOf<Entity>, Name>[]> {
    return this.read(await query.execute('all', false), names);
  }

  /**
   * The same, of all columns if none are named, for a statement that may read the whole table: others do not wait for it.
   */
  async readAside<Name extends keyof Entity & string = keyof Entity & string>(
    query: WrittenQuery,
    names?: readonly Name[],
  ): Promise<readonly Pick<RowOf<Entity>, Name>[]> {
    const { aside } = this.#database;
    const found = aside === null ? query.execute('all', false) : aside.read(query.getQuery(), query.getParams());
    return this.read(await found, names);
  }

  /** Reads rows that the database returned, by column names; all columns if none are named. */
  read<Name extends keyof Entity & string = keyof Entity & string>(
    found: unknown,
    names?: readonly Name[],
  ): readonly Pick<RowOf<Entity>, Name>[] {
    const reader = this.#reader(names);
    const isRead = (row: unknown): row is Pick<RowOf<Entity>, Name> => row !== null;
    return this.#database.rows.read(this.#place, rowsSchema.parse(found), (row) => reader.parse(row)).filter(isRead);
  }

  /** Returns what reads these columns of a row, all if none are named; made once, since making it costs far more. */
  #reader(names: readonly string[] | undefined): z.ZodType {
    const key = names?.join() ?? '';
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const columns = this.#columns.filter(({ name }) => names?.includes(name) !== false);
    const nameOf = new Map(columns.map(({ name, field }) => [field, name]));
    const reader = z
      .object(Object.fromEntries(columns.map(({ field, schema }) => [field, schema])))
      .transform((row): unknown =>
        Object.fromEntries(Object.entries(row).map(([field, value]) => [nameOf.get(field), value])),
      );
    this.#readers.set(key, reader);
    return reader;
  }
}

type BoundColumn = Readonly<{ field: string; value: unknown }>;

const conditionsOf = (columns: readonly BoundColumn[]): string =>
  columns.map(({ field }) => `${field} = ?`).join(' and ');

const valuesOf = (columns: readonly BoundColumn[]): unknown[] => columns.map(({ value }) => value);

/** Returns the conditions that have a value: neither undefined nor empty. */
export function given<Conditions extends object>(
  conditions: Conditions,
): { [Name in keyof Conditions]?: Exclude<Conditions[Name], undefined> } {
  const isGiven = ([, value]: [string, unknown]) => value !== undefined && JSON.stringify(value) !== '{}';
  return z.custom<Conditions>().parse(Object.fromEntries(Object.entries(conditions).filter(isGiven)));
}
