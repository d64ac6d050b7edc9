import {
  type EmulatedProperty,
  type EmulatedType,
  primaryTypes,
  typeNamed,
  types,
} from '#test/emulators/hubspot/types.ts';

/** A record: its properties as texts. */
export type StoredRecord = {
  readonly id: string;
  readonly type: EmulatedType;
  properties: Record<string, string>;
  /** The values of each property, the latest first. */
  readonly history: Map<string, { value: string; timestamp: string }[]>;
  readonly createdAt: string;
  updatedAt: string;
  archived: boolean;
};

/** What happened to a record, as webhooks say it. */
export type StoreChange = Readonly<{
  action: 'creation' | 'propertyChange' | 'deletion' | 'merge' | 'associationChange';
  record: StoredRecord;
  propertyName?: string;
  propertyValue?: string;
  mergedId?: string;
}>;

/** An association from one record to another. */
export type Association = Readonly<{ from: StoredRecord; to: StoredRecord; isPrimary: boolean }>;

/** The records of an account, and their associations. Ids of activities and notes do not overlap. */
export class HubSpotStore {
  readonly #records: StoredRecord[] = [];
  #associations: readonly Association[] = [];
  readonly #custom = new Map<string, EmulatedProperty[]>();
  readonly #onChange: (change: StoreChange) => void;
  #nextId = 1_000;

  constructor(onChange: (change: StoreChange) => void) {
    this.#onChange = onChange;
  }

  /** Adds a property that the account defines. */
  define(type: string, name: string, kind: string, fieldType = 'text'): void {
    const known = this.#custom.get(typeOf(type).plural) ?? [];
    known.push({ name, type: kind, fieldType, hubspotDefined: false });
    this.#custom.set(typeOf(type).plural, known);
  }

  properties({ plural, properties }: EmulatedType): readonly EmulatedProperty[] {
    return [...properties, ...(this.#custom.get(plural) ?? [])];
  }

  all(type: string): readonly StoredRecord[] {
    return this.#records.filter((one) => one.type === typeOf(type) && !one.archived);
  }

  get(type: string, id: string): StoredRecord | undefined {
    return this.all(type).find((one) => one.id === id);
  }

  create(type: string, properties: Readonly<Record<string, string>>): StoredRecord {
    const now = new Date().toISOString();
    this.#nextId += 1;
    const id = String(this.#nextId);
    const stamps = { hs_object_id: id, hs_createdate: now, createdate: now };
    const record: StoredRecord = {
      id,
      type: typeOf(type),
      createdAt: now,
      updatedAt: now,
      archived: false,
      properties: { ...properties, ...stamps },
      history: new Map(),
    };
    for (const [name, value] of Object.entries(properties)) note(record, name, value);
    this.#touch(record);
    this.#records.push(record);
    this.#onChange({ action: 'creation', record });
    return record;
  }

  update(record: StoredRecord, properties: Readonly<Record<string, string>>): void {
    const changed = Object.entries(properties).filter(([name, value]) => (record.properties[name] ?? '') !== value);
    record.properties = { ...record.properties, ...properties };
    this.#touch(record);
    for (const [name, value] of changed) note(record, name, value);
    for (const [propertyName, propertyValue] of changed) {
      this.#onChange({ action: 'propertyChange', record, propertyName, propertyValue });
    }
  }

  remove(record: StoredRecord): void {
    record.archived = true;
    this.#onChange({ action: 'deletion', record });
  }

  merge(kept: StoredRecord, merged: StoredRecord): void {
    merged.archived = true;
    const moved = (end: StoredRecord) => (end === merged ? kept : end);
    this.#associations = this.#associations.map((one) => ({ ...one, from: moved(one.from), to: moved(one.to) }));
    this.#touch(kept);
    this.#onChange({ action: 'merge', record: kept, mergedId: merged.id });
  }

  associate(from: StoredRecord, to: StoredRecord, typeIds: readonly number[]): void {
    const others = this.#associations.filter((one) => one.from !== from || one.to !== to);
    const isFirst = !others.some((one) => one.from === from && one.to.type === to.type);
    const isPrimary = typeIds.some((id) => primaryTypes.includes(id)) || (isFirst && to.type.plural === 'companies');
    const kept = others.map((one) =>
      isPrimary && one.from === from && one.to.type === to.type ? { ...one, isPrimary: false } : one,
    );
    this.#associations = [...kept, { from, to, isPrimary }];
  }

  dissociate(from: StoredRecord, to: StoredRecord): void {
    this.#associations = this.#associations.filter((one) => one.from !== from || one.to !== to);
  }

  /** What a record is associated with, of a type, in either direction. */
  associated(record: StoredRecord, type: EmulatedType): readonly Association[] {
    const forth = this.#associations.filter(({ from, to }) => from === record && to.type === type && !to.archived);
    const back = this.#associations
      .filter(({ from, to }) => to === record && from.type === type && !from.archived)
      .map(({ from, to, isPrimary }) => ({ from: to, to: from, isPrimary }));
    return [...forth, ...back];
  }

  #touch(record: StoredRecord): void {
    record.updatedAt = new Date().toISOString();
    const stamp = record.type.plural === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
    record.properties = { ...record.properties, [stamp]: record.updatedAt };
  }
}

function typeOf(name: string): EmulatedType {
  const type = typeNamed(name);
  if (type === undefined)
    throw new Error(`No type ${name}; there are ${types.map(({ plural }) => plural).join(', ')}.`);
  return type;
}

function note({ history }: StoredRecord, name: string, value: string): void {
  history.set(name, [{ value, timestamp: new Date().toISOString() }, ...(history.get(name) ?? [])]);
}
