import { unreadable, withWarnings } from '#adapters/services/answers/read-answers.ts';
import type { Call } from '#adapters/services/sales-crm/hubspot/account.ts';
import type { Members, RecordKind } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { noPlace } from '#adapters/services/sales-crm/hubspot/lists.ts';
import { type One, readOne } from '#adapters/services/sales-crm/hubspot/reading.ts';
import { idIn, type Texts, textIn, textOf } from '#adapters/services/sales-crm/hubspot/values.ts';
import { isObject } from '#domain/json/json-data.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import { type Failure, type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** What an input changes: texts of properties, and the ids of associated records by member; null ends one. */
type Changes = Readonly<{ properties: Record<string, string>; links: Readonly<Record<string, string | null>> }>;

/** Converts an input to what is sent. Refuses inputs that HubSpot has no place for. */
function changesOf(kind: RecordKind, given: Members, before: Members): Outcome<Changes> {
  const { id: _, custom_fields: custom, ...input } = given;
  const texts: Record<string, string | null | undefined> = {};
  const links: Record<string, string | null> = {};
  const errors: InputError[] = [];
  const add = (name: string, [property, type]: readonly [string, string], value: unknown): void => {
    const text = textOf(type, value);
    texts[property] = text;
    if (text === null) errors.push(noRoom(name));
  };
  for (const [name, value] of Object.entries(input)) {
    const [field, write] = [own(kind.fields, name), own(kind.write, name)];
    if (value === undefined) continue;
    const several = write?.(value, input, before) ?? null;
    if (field !== undefined) add(name, field, value);
    else if (own(kind.links, name) !== undefined) links[name] = value === null ? null : textIn(value);
    else if (write !== undefined && several === null) errors.push(noRoom(name));
    else if (write !== undefined) Object.assign(texts, several);
    else errors.push(noPlace(name));
  }
  for (const [name, value] of Object.entries(isObject(custom) ? custom : {})) add(name, [name, 'string'], value);
  return errors.length > 0 ? refusedInput(errors) : succeeded({ properties: filledIn(texts), links });
}

const noRoom = (name: string): InputError => ({ path: [name], message: `HubSpot has no room for ${quoted(name)}.` });

const filledIn = (texts: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text == null ? [] : [[name, text]])));

/** The type of a usual association. */
const typed = (associationTypeId: number) => [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }];

/** The id in an answered record; null when it is none. */
export const createdId = (data: unknown): string | null =>
  isObject(data) && typeof data['id'] === 'string' ? data['id'] : null;

/** Creates a record with its associations, and reads it. `texts` are further properties. */
export async function createOne(call: Call, kind: RecordKind, input: Members, texts: Texts = {}): One {
  const changes = changesOf(kind, input, {});
  if (!changes.ok) return changes;
  const associations = Object.entries(changes.data.links).flatMap(([name, id]) => {
    const [, typeId] = own(kind.links, name) ?? [];
    return id === null || typeId === undefined ? [] : [{ to: { id }, types: typed(typeId) }];
  });
  const properties = { ...filledIn(texts), ...changes.data.properties };
  const made = await call.send('create', { type: kind.type, properties, associations });
  if (!made.ok) return made;
  const id = createdId(made.data);
  return id === null ? unreadable : asChanged(call, kind, id);
}

type Own = Readonly<{ texts?: Texts; before?: Members | undefined }>;

/** Changes a record, and reads it. `before` are its members, which are read if they are needed and not given. */
export async function updateOne(call: Call, kind: RecordKind, input: Members, { texts = {}, before }: Own = {}): One {
  const id = String(input['id']);
  const isLinked = Object.keys(input).some((name) => own(kind.links, name) !== undefined);
  const known = before === undefined && isLinked ? await readOne(call, kind, { id }) : succeeded(before ?? {});
  if (!known.ok) return known;
  const changes = changesOf(kind, input, known.data);
  if (!changes.ok) return changes;
  const properties = { ...changes.data.properties, ...filledIn(texts) };
  const isChanged = Object.keys(properties).length > 0;
  const changed = isChanged ? await call.send('update', { type: kind.type, id, properties }) : succeeded(null);
  if (!changed.ok) return changed;
  const failure = await relink(call, kind, id, { links: changes.data.links, before: known.data });
  const why = failure === null ? [] : [`Not all associations were changed. ${failure.message}`];
  return withWarnings(await asChanged(call, kind, id), why);
}

/** Deletes a record. */
export async function archive(call: Call, { type }: RecordKind, { id }: Members): Promise<Outcome> {
  const outcome = await call.send('archive', { type, id: String(id) });
  return outcome.ok ? succeeded({ id }) : outcome;
}

/** Merges a record into another; the result may have an id of its own. */
export async function mergeInto(call: Call, kind: RecordKind, { id, merge_with_id: kept }: Members): Promise<Outcome> {
  const ids = { primaryObjectId: String(kept), objectIdToMerge: String(id) };
  const merged = await call.send('merge', { type: kind.type, ...ids });
  return merged.ok ? asChanged(call, kind, createdId(merged.data) ?? String(kept)) : merged;
}

/** The record as it is after a change; where it cannot be read, its id, since the change was made. */
async function asChanged(call: Call, kind: RecordKind, id: string): One {
  const outcome = await readOne(call, kind, { id });
  const why = outcome.ok ? '' : `It was changed, and cannot be read. ${outcome.message}`;
  return outcome.ok ? outcome : withWarnings(succeeded<Members>({ id: idIn(kind.type, id) }), [why]);
}

type Relinked = Pick<Changes, 'links'> & Readonly<{ before: Members }>;

/** Associates a record, in place of the record that the member had before. */
async function relink(call: Call, kind: RecordKind, id: string, { links, before }: Relinked): Promise<Failure | null> {
  for (const [name, toId] of Object.entries(links)) {
    const [to = '', typeId = 0] = own(kind.links, name) ?? [];
    const former = own(before, name) ?? null;
    if (textIn(former) === textIn(toId)) continue;
    const place = { type: kind.type, id, to };
    const added = toId === null ? null : await call.send('associate', { ...place, toId, types: typed(typeId) });
    if (added?.ok === false) return added;
    const removed = former === null ? null : await call.send('dissociate', { ...place, toId: textIn(former) });
    if (removed?.ok === false) return removed;
  }
  return null;
}
