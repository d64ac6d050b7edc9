import { own } from '#domain/shared/own.ts';
import { EmulatedClock } from '#test/emulators/suite-crm/emulated-clock.ts';
import { plain, type Stored } from '#test/emulators/suite-crm/query-text.ts';
import { done, type Outcome, type Refusal, refusal, refused } from '#test/emulators/suite-crm/reply.ts';
import { errorOf, schema } from '#test/emulators/suite-crm/schema.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What happened to records, as channels report it. */
export type Change = Readonly<{
  module: string;
  operation: 'insert' | 'update' | 'delete';
  ids: readonly string[];
  values: Fields;
}>;

/** A record that was deleted. */
export type Deleted = Readonly<{
  id: string;
  display_name: string;
  type: 'recycle' | 'permanent';
  deleted_time: string;
}>;

/** The user whose account it is. */
export const owner = { id: '1000000000001', name: 'Ada Owner', email: 'ada@crm.example' } as const;

/** The records of an emulated CRM, as they stand in memory, and who wants to know of changes. */
export class CrmState {
  readonly clock = new EmulatedClock();
  readonly #records = new Map<string, Map<string, Stored>>();
  readonly #deleted = new Map<string, Deleted[]>();
  readonly #listeners = new Set<(change: Change) => void>();
  #lastId = 5_000_000_000_000_000;
  #refusals: { refusal: Refusal; at: readonly number[] | null; times: number } | null = null;

  /** A new id: 16 digits, as text. */
  id(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  onChange(listener: (change: Change) => void): void {
    this.#listeners.add(listener);
  }

  isModule(module: string): boolean {
    return Object.hasOwn(schema, module) || this.#records.has(module);
  }

  modules(): readonly string[] {
    return [...new Set([...Object.keys(schema), ...this.#records.keys()])];
  }

  all(module: string): readonly Stored[] {
    return [...(this.#records.get(module)?.values() ?? [])];
  }

  find(module: string, id: string): Stored | null {
    return this.#records.get(module)?.get(id) ?? null;
  }

  deleted(module: string): readonly Deleted[] {
    return this.#deleted.get(module) ?? [];
  }

  /** The next writes of records are refused: those at these places in their batch, or all. */
  refuseRecords(refusal: Refusal, { at, times }: Readonly<{ at: readonly number[] | null; times: number }>): void {
    this.#refusals = { refusal, at, times };
  }

  /** A batch of writes, each record refused on demand before it is tried. */
  batch(records: readonly Fields[], write: (record: Fields) => Outcome): readonly Outcome[] {
    const planned = this.#refusals;
    if (planned !== null) {
      planned.times -= 1;
      if (planned.times <= 0) this.#refusals = null;
    }
    return records.map((record, at) =>
      planned !== null && (planned.at === null || planned.at.includes(at)) ? refused(planned.refusal) : write(record),
    );
  }

  create(module: string, fields: Fields): Outcome {
    const fault = this.#faultIn(module, fields, null);
    if (fault !== null) return refused(fault);
    const now = this.clock.iso();
    const id = this.id();
    const by = { id: owner.id, name: owner.name };
    const times = { Created_Time: now, Modified_Time: now, Created_By: by, Modified_By: by };
    this.#put(module, { Owner: owner, Tag: [], ...fields, ...times, id });
    this.#publish({ module, operation: 'insert', ids: [id], values: fields });
    return done('record added', { id, ...times });
  }

  update(module: string, id: string, fields: Fields): Outcome {
    const before = this.find(module, id);
    if (before === null) return refused(unknownId(id));
    const fault = this.#faultIn(module, { ...before, ...fields }, id);
    if (fault !== null) return refused(fault);
    const now = this.clock.iso();
    this.#put(module, { ...before, ...fields, id, Modified_Time: now });
    this.#publish({ module, operation: 'update', ids: [id], values: fields });
    const { Created_Time, Created_By, Modified_By } = before;
    return done('record updated', { id, Created_Time, Modified_Time: now, Created_By, Modified_By });
  }

  remove(module: string, id: string): Outcome {
    const record = this.find(module, id);
    if (record === null) return refused(unknownId(id));
    this.#records.get(module)?.delete(id);
    const deleted: Deleted = { id, display_name: nameOf(record), type: 'recycle', deleted_time: this.clock.iso() };
    this.#deleted.set(module, [deleted, ...this.deleted(module)]);
    this.#publish({ module, operation: 'delete', ids: [id], values: {} });
    return done('record deleted', { id });
  }

  /** The record that has the same value in one of the fields; null when none has. */
  duplicate(module: string, fields: Fields, by: readonly string[]): Readonly<{ id: string; field: string }> | null {
    for (const field of by) {
      const wanted = plain(fields[field]);
      if (wanted === '') continue;
      const found = this.all(module).find((record) => plain(record[field]).toLowerCase() === wanted.toLowerCase());
      if (found !== undefined) return { id: String(found['id']), field };
    }
    return null;
  }

  uniqueFields(module: string): readonly string[] {
    return (own(schema, module) ?? []).filter(({ isUnique }) => isUnique === true).map(({ api_name }) => api_name);
  }

  #faultIn(module: string, fields: Fields, id: string | null): Refusal | null {
    const known = own(schema, module) ?? [];
    const missing = known.find(({ api_name, isMandatory }) => isMandatory === true && plain(fields[api_name]) === '');
    if (missing !== undefined) {
      return refusal('MANDATORY_NOT_FOUND', 'required field not found', {
        api_name: missing.api_name,
        json_path: `$.data[0].${missing.api_name}`,
      });
    }
    for (const field of known) {
      const expected = errorOf(field, fields[field.api_name]);
      if (expected === null) continue;
      return refusal('INVALID_DATA', 'invalid data', { api_name: field.api_name, expected_data_type: expected });
    }
    const double = this.duplicate(module, fields, this.uniqueFields(module));
    if (double === null || double.id === id) return null;
    return refusal('DUPLICATE_DATA', 'duplicate data', { api_name: double.field, duplicate_record: { id: double.id } });
  }

  #put(module: string, record: Stored): void {
    const records = this.#records.get(module) ?? new Map<string, Stored>();
    records.set(String(record['id']), record);
    this.#records.set(module, records);
  }

  #publish(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** The provider's refusal of an id that there is not. */
export function unknownId(id: string): Refusal {
  return refusal('INVALID_DATA', 'the id given seems to be invalid', { id });
}

/** What a record is called. */
export function nameOf(record: Stored): string {
  const name = ['Deal_Name', 'Account_Name', 'Last_Name', 'Subject', 'Product_Name', 'Vendor_Name', 'Name'].find(
    (field) => typeof record[field] === 'string',
  );
  return name === undefined ? String(record['id']) : String(record[name]);
}
