import { z } from 'zod';
import { parsed, unreadable, withWarnings } from '#adapters/services/answers/read-answers.ts';
import { ignoredIn } from '#adapters/services/sales-crm/details/showing-inputs.ts';
import { stageChange } from '#adapters/services/sales-crm/details/stage-change.ts';
import {
  type Call,
  pipelinesOf,
  propertiesOf,
  type Stage,
  stagesIn,
} from '#adapters/services/sales-crm/hubspot/account.ts';
import { dealKind, type Members, type RecordKind } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { idIn, type Texts, timeIn, valueIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

const text = z.string().nullish().catch(null);
const associated = z.object({ results: z.array(z.object({ id: z.string(), type: z.string().catch('') })) });
const recordSchema = z.looseObject({
  id: z.string(),
  properties: z.record(z.string(), text).catch({}),
  createdAt: text,
  updatedAt: text,
  associations: z.record(z.string(), associated.catch({ results: [] })).catch({}),
  propertiesWithHistory: z
    .object({ dealstage: z.array(z.object({ value: text, timestamp: text })) })
    .nullish()
    .catch(null),
});

/** Records, or one of them. */
export type Many = Promise<Outcome<readonly Members[]>>;
/** One record. */
export type One = Promise<Outcome<Members>>;

/** What to ask for, and how to convert an answered record to the kind's members; null for what is no record. */
export type Reader = Readonly<{
  properties: string[];
  associations: string[];
  read(record: unknown): Members | null;
  warnings: readonly string[];
}>;

/** The most custom properties that are asked for: their names are part of the address. */
const maxCustom = 100;

/** Prepares the reading of records, with the properties that the account defined, or the `wanted` ones, besides. */
export async function readerOf(call: Call, kind: RecordKind, wanted?: unknown): Promise<Outcome<Reader>> {
  const known = await propertiesOf(call, kind.type);
  if (!known.ok) return known;
  const isDeal = kind.type === dealKind.type;
  const pipelines = isDeal ? await pipelinesOf(call) : succeeded([]);
  if (!pipelines.ok) return pipelines;
  const stages = stagesIn(pipelines.data);
  const names = Array.isArray(wanted) ? wanted.map(String) : null;
  const chosen = known.data.filter(({ name, isCustom }) => (names === null ? isCustom : names.includes(name)));
  const custom = chosen.slice(0, maxCustom);
  const fields = Object.values(kind.fields).map(([property]) => property);
  return succeeded({
    properties: [...new Set([...fields, ...kind.properties, ...custom.map(({ name }) => name)])],
    associations: Object.values(kind.links).map(([to]) => to),
    read: (given) => {
      const record = recordSchema.safeParse(given).data;
      if (record === undefined) return null;
      const { id, properties: texts, createdAt, updatedAt, associations } = record;
      const filled = custom.map(({ name, type }) => [name, valueIn(type, own(texts, name))] as const);
      return {
        add_time: createdAt,
        update_time: updatedAt,
        ...mapped(kind.fields, ([property, type]) => valueIn(type, own(texts, property))),
        ...kind.read(texts),
        ...(isDeal ? placeIn(stages, texts) : {}),
        ...stageChange(stages, record.propertiesWithHistory?.dealstage ?? []),
        custom_fields: Object.fromEntries(filled.filter(([, value]) => value !== null)),
        ...mapped(kind.links, ([to]) => mainOf(to, own(associations, to)?.results ?? [])),
        id: idIn(kind.type, id),
      };
    },
    warnings: chosen.length > maxCustom ? [`${maxCustom} of ${chosen.length} custom fields were read.`] : [],
  });
}

/** The members of a deal that its stage decides. */
function placeIn(stages: readonly Stage[], texts: Texts): Members {
  const stage = stages.find(({ key }) => key === texts['dealstage']);
  const { id = null, pipeline_id = null, status = null, deal_probability: probability = null } = stage ?? {};
  const close_time = status === 'won' || status === 'lost' ? timeIn(texts['closedate']) : null;
  return { status, probability, close_time, pipeline_id, stage_id: id };
}

function mapped<Value>(table: Readonly<Record<string, Value>>, map: (value: Value) => unknown): Members {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));
}

/** The main record of several: the one whose association has a label (primary), else the first. */
function mainOf(type: string, all: readonly Readonly<{ id: string; type: string }>[]): number | string | null {
  const main = all.find((one) => one.type !== '' && !one.type.endsWith('_unlabeled')) ?? all[0];
  return main === undefined ? null : idIn(type, main.id);
}

/** Converts an answered list to the kind's records. */
export function recordsIn(outcome: Outcome, { read, warnings }: Reader): Awaited<Many> {
  if (!outcome.ok) return outcome;
  const list = Array.isArray(outcome.data) ? outcome.data.map(read) : [null];
  const data = list.filter((one) => one !== null);
  return data.length < list.length ? unreadable : withWarnings({ ...outcome, data }, warnings);
}

/** Reads a record. */
export async function readOne(call: Call, kind: RecordKind, input: Members): One {
  const reader = await readerOf(call, kind, input['custom_fields']);
  if (!reader.ok) return reader;
  const { properties, associations } = reader.data;
  const history = kind === dealKind ? { propertiesWithHistory: ['dealstage'] } : {};
  const about = { type: kind.type, id: String(input['id']), properties, associations, ...history };
  const outcome = await call.send('read', about);
  if (!outcome.ok) return outcome;
  const data = reader.data.read(outcome.data);
  const warnings = [...reader.data.warnings, ...ignoredIn(input, 'HubSpot')];
  return data === null ? unreadable : withWarnings(succeeded(data), warnings);
}

const labels = z.array(z.object({ label: text })).catch([]);
const ends = z.array(z.object({ toObjectId: z.coerce.string(), associationTypes: labels }));
const batchSchema = z.array(z.object({ from: z.object({ id: z.string() }), to: ends }));

/** Adds to records found by a search what they are associated with, which a search does not answer. */
export async function withLinks({ send }: Call, { type, links }: RecordKind, found: Awaited<Many>): Many {
  if (!found.ok || found.data.length === 0) return found;
  const inputs = found.data.map(({ id }) => ({ id: String(id) }));
  const read = async ([name, [to]]: readonly [string, RecordKind['links'][string]]) => {
    const outcome = parsed(await send('associated', { type, to, inputs }), batchSchema);
    const all = outcome.ok ? outcome.data : [];
    const mains = all.map(({ from, to: others }) => {
      const labelled = others.map(({ toObjectId: id, associationTypes }) => {
        return { id, type: associationTypes.find((one) => one.label)?.label ?? '' };
      });
      return [from.id, mainOf(to, labelled)] as const;
    });
    return { name, ids: new Map(mains), warnings: outcome.ok ? [] : [`\`${name}\` could not be read.`] };
  };
  const linked = await Promise.all(Object.entries(links).map(read));
  const data = found.data.map((record) => {
    const members = linked.map(({ name, ids }) => [name, ids.get(String(record['id'])) ?? null]);
    return { ...record, ...Object.fromEntries(members) };
  });
  return withWarnings(
    { ...found, data },
    linked.flatMap(({ warnings }) => warnings),
  );
}
