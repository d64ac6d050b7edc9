import { randomBytes, randomUUID } from 'node:crypto';
import { type FieldType, type Kind, kindOf, kinds } from '#test/emulators/sales-crm/kinds.ts';

/** A record as it is kept and sent. */
export type CrmRecord = Readonly<Record<string, unknown>>;

/** What happened to a record. `mergedWith` is the other one of a merge. */
export type Change = Readonly<{
  action: 'added' | 'updated' | 'deleted' | 'merged';
  kind: string;
  id: string;
  current: CrmRecord | null;
  previous: CrmRecord | null;
  mergedWith: string | null;
}>;

const checks: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
};

/** The CRM's records, in memory, in the order they were made. */
export class Records {
  readonly #kept = new Map<string, Map<string, CrmRecord>>(kinds.map(({ name }) => [name, new Map()]));
  readonly #gone = new Map<string, CrmRecord>();
  readonly #publish: (change: Change) => void;
  readonly #lastIds = new Map<string, number>();

  constructor(publish: (change: Change) => void) {
    this.#publish = publish;
  }

  all(kind: string): readonly CrmRecord[] {
    return [...this.#of(kind).values()];
  }

  find(kind: string, id: string): CrmRecord | null {
    return this.#of(kind).get(id) ?? null;
  }

  /** Whether there was such a record once. */
  isGone(kind: string, id: string): boolean {
    return this.#gone.has(`${kind}:${id}`);
  }

  /** Makes a record, now or at a time in the past. */
  create(kind: string, fields: CrmRecord, at = new Date().toISOString()): CrmRecord {
    const id = this.#newId(kindOf(kind));
    const record = { id, ...kindOf(kind).defaults, ...fields, add_time: at, update_time: at };
    this.#of(kind).set(String(id), record);
    this.#publish({ action: 'added', kind, id: String(id), current: record, previous: null, mergedWith: null });
    return record;
  }

  update(kind: string, id: string, fields: CrmRecord): CrmRecord | null {
    if (fields['is_deleted'] === false) this.#restore(kind, id);
    const previous = this.find(kind, id);
    if (previous === null) return null;
    const customFields = { ...objectOr(previous['custom_fields']), ...objectOr(fields['custom_fields']) };
    const custom = Object.keys(customFields).length === 0 ? {} : { custom_fields: customFields };
    const current = { ...previous, ...fields, ...custom, id: previous['id'], update_time: new Date().toISOString() };
    this.#of(kind).set(id, current);
    this.#publish({ action: 'updated', kind, id, current, previous, mergedWith: null });
    return current;
  }

  remove(kind: string, id: string): CrmRecord | null {
    const previous = this.#drop(kind, id);
    if (previous !== null) this.#publish({ action: 'deleted', kind, id, current: null, previous, mergedWith: null });
    return previous;
  }

  /** The first goes into the second, whose own values win; lists of both, such as phone numbers, become one. */
  merge(kind: string, id: string, withId: string): CrmRecord | null {
    const [going, staying] = [this.find(kind, id), this.find(kind, withId)];
    if (going === null || staying === null || id === withId) return null;
    this.#drop(kind, id);
    this.move(kind, id, kind, withId);
    const current = { ...going, ...staying, ...joinedLists(going, staying), update_time: new Date().toISOString() };
    this.#of(kind).set(withId, current);
    this.#publish({ action: 'merged', kind, id: withId, current, previous: going, mergedWith: id });
    return current;
  }

  /** Has what belongs to one record (notes, activities, deals, persons) belong to another. */
  move(kind: string, id: string, toKind: string, toId: string): void {
    for (const { name } of kinds) {
      const [from, to] = [linkOf(kind, name), linkOf(toKind, name)];
      for (const record of this.all(name)) {
        if (JSON.stringify(record[from])?.replaceAll('"', '') !== id) continue;
        const moved = { ...record, [from]: null, [to]: Number(toId) };
        this.#of(name).set(String(record['id']), moved);
      }
    }
  }

  #drop(kind: string, id: string): CrmRecord | null {
    const record = this.find(kind, id);
    this.#of(kind).delete(id);
    if (record !== null) this.#gone.set(`${kind}:${id}`, record);
    return record;
  }

  /** Deals that were deleted can be restored; the emulated CRM does not forget them. */
  #restore(kind: string, id: string): void {
    const record = this.#gone.get(`${kind}:${id}`);
    if (kind !== 'deal' || record === undefined) return;
    this.#gone.delete(`${kind}:${id}`);
    this.#of(kind).set(id, { ...record, is_deleted: false });
  }

  #of(kind: string): Map<string, CrmRecord> {
    const records = this.#kept.get(kind);
    if (records === undefined) throw new Error(`No kind "${kind}".`);
    return records;
  }

  #newId({ id, name }: Kind): string | number {
    if (id === 'uuid') return randomUUID();
    if (id === 'hex') return randomBytes(16).toString('hex');
    const next = (this.#lastIds.get(name) ?? 0) + 1;
    this.#lastIds.set(name, next);
    return next;
  }
}

/** The field in which records of a kind name the one that they belong to. */
function linkOf(kind: string, of: string): string {
  return kind === 'organization' && of !== 'lead' ? 'org_id' : `${kind}_id`;
}

function joinedLists(going: CrmRecord, staying: CrmRecord): CrmRecord {
  const both = Object.entries(staying).flatMap(([name, list]) => {
    const other = going[name];
    return Array.isArray(list) && Array.isArray(other) ? [[name, [...list, ...other]]] : [];
  });
  return Object.fromEntries(both);
}

/** What is wrong with the fields of a record, a sentence each; `isWhole` when it is made and not changed. */
export function faultsOf(kind: Kind, fields: CrmRecord, isWhole: boolean): readonly string[] {
  const missing = isWhole ? kind.required.filter((name) => fields[name] === undefined || fields[name] === '') : [];
  const wrong = Object.entries(kind.types).filter(([name, type]) => {
    const value = fields[name];
    return value !== undefined && value !== null && !checks[type](value);
  });
  const lacksAll = isWhole && kind.oneOf?.every((name) => fields[name] === undefined) === true;
  return [
    ...missing.map((name) => `${name}: Required`),
    ...wrong.map(([name, type]) => `${name}: Expected ${type}`),
    ...(lacksAll ? [`one of ${kind.oneOf?.join(', ')} is required`] : []),
  ];
}

function objectOr(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
