import { z } from 'zod';
import { invalid, missing } from '#test/emulators/hubspot/answers.ts';
import type { EmulatedPipelines } from '#test/emulators/hubspot/pipelines.ts';
import { type SearchBounds, search } from '#test/emulators/hubspot/search.ts';
import type { HubSpotStore, StoredRecord } from '#test/emulators/hubspot/store.ts';
import { associationTypes, type EmulatedType, primaryTypes, typeNamed } from '#test/emulators/hubspot/types.ts';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';
import { type CrmRequest, type EmulatorRoute, jsonBody } from '#test/emulators/sales-crm/request.ts';

const associationSpec = z.array(
  z.strictObject({ associationCategory: z.literal('HUBSPOT_DEFINED'), associationTypeId: z.int() }),
);
const changes = z.strictObject({ properties: z.record(z.string(), z.string()) });
const creation = changes.extend({
  associations: z.array(z.strictObject({ to: z.strictObject({ id: z.string() }), types: associationSpec })),
});
const merging = z.strictObject({ primaryObjectId: z.string(), objectIdToMerge: z.string() });
const batch = z.strictObject({ inputs: z.array(z.strictObject({ id: z.string() })).max(1000) });

const records = '/crm/objects/2026-03/{type}';

/** The routes of records of all types, and of their associations. */
export function recordRoutes(
  store: HubSpotStore,
  pipelines: EmulatedPipelines,
  bounds: SearchBounds,
): readonly EmulatorRoute[] {
  const plain = ({ id, properties, createdAt, updatedAt, archived }: StoredRecord, wanted: readonly string[]) => ({
    id,
    properties: Object.fromEntries(
      wanted.map((name) => [name, properties[name] === '' ? null : (properties[name] ?? null)]),
    ),
    createdAt,
    updatedAt,
    archived,
  });
  const shown = (record: StoredRecord, { query }: CrmRequest) => {
    const names = (query.get('associations') ?? '').split(',').flatMap((name) => typeNamed(name) ?? []);
    const linked = names.flatMap((type) => {
      const results = store.associated(record, type).flatMap(({ to, isPrimary }) => {
        const word = `${record.type.singular}_to_${type.singular}`;
        const hasLabels = type.plural === 'companies';
        return [
          ...(isPrimary || !hasLabels ? [{ id: to.id, type: word }] : []),
          ...(hasLabels ? [{ id: to.id, type: `${word}_unlabeled` }] : []),
        ];
      });
      return results.length === 0 ? [] : [[type.plural, { results }] as const];
    });
    const wanted = (query.get('properties') ?? '').split(',').filter((name) => name !== '');
    const past = (query.get('propertiesWithHistory') ?? '').split(',').filter((name) => name !== '');
    const history = Object.fromEntries(
      past.map((name) => [name, (record.history.get(name) ?? []).map((one) => ({ ...one, sourceType: 'CRM_UI' }))]),
    );
    return {
      ...plain(record, wanted),
      ...(past.length === 0 ? {} : { propertiesWithHistory: history }),
      ...(linked.length === 0 ? {} : { associations: Object.fromEntries(linked) }),
    };
  };
  /** What is wrong with the properties that a request sets; null for nothing. */
  const fault = (type: EmulatedType, properties: Readonly<Record<string, string>>): Answer | null => {
    const known = store.properties(type);
    const unknown = Object.keys(properties).filter((name) => !known.some((one) => one.name === name));
    if (unknown.length > 0) {
      const errors = unknown.map((name) => ({
        message: `Property "${name}" does not exist`,
        code: 'PROPERTY_DOESNT_EXIST',
      }));
      return invalid(`Property values were not valid: ${JSON.stringify(errors)}`, {
        errors,
        context: { name: unknown },
      });
    }
    const number = known.find(
      ({ name, type: kind }) => kind === 'number' && Number.isNaN(Number(properties[name] ?? 0)),
    );
    if (number !== undefined) return invalid(`${properties[number.name]} was not a valid number.`);
    const { dealstage, pipeline } = properties;
    const isPlace = dealstage === undefined || pipelines.has(dealstage, pipeline);
    return isPlace ? null : invalid(`Property values were not valid: ${dealstage} was not one of the allowed options`);
  };
  return [
    route('GET', records, (type, _, request) => {
      const limit = Number(request.query.get('limit') ?? 10);
      if (!(limit >= 1 && limit <= 100)) return invalid('The limit is not between 1 and 100.');
      const all = store.all(type.plural);
      const after = request.query.get('after');
      const start = after === null ? 0 : all.findIndex(({ id }) => id === after);
      const next = all[start + limit];
      const results = all.slice(start, start + limit).map((record) => shown(record, request));
      return {
        status: 200,
        body: { results, ...(next === undefined ? {} : { paging: { next: { after: next.id } } }) },
      };
    }),
    route('POST', `${records}/search`, (type, _, request) =>
      search(store, type, jsonBody(request), { ...bounds, shown: plain }),
    ),
    route('POST', `${records}/merge`, (type, _, request) => {
      const { primaryObjectId, objectIdToMerge } = merging.parse(jsonBody(request));
      const kept = store.get(type.plural, primaryObjectId);
      const merged = store.get(type.plural, objectIdToMerge);
      if (kept === undefined || merged === undefined)
        return missing(type.plural, `${primaryObjectId} ${objectIdToMerge}`);
      store.merge(kept, merged);
      return { status: 200, body: plain(kept, []) };
    }),
    route('POST', records, (type, _, request) => {
      const parsed = creation.safeParse(jsonBody(request));
      if (!parsed.success) return invalid(`Invalid input JSON: ${z.prettifyError(parsed.error)}`);
      const { properties, associations } = parsed.data;
      const wrong = fault(type, properties) ?? required(type, properties, associations.length);
      if (wrong !== null) return wrong;
      const ends = associations.map(({ to, types }) => ({ end: endOf(store, type, to.id, types), types }));
      const bad = associations.find((_given, index) => ends[index]?.end === undefined);
      if (bad !== undefined) return invalid(`No ${type.singular} can be associated with ${bad.to.id} in this way.`);
      const record = store.create(type.plural, properties);
      for (const { end, types } of ends)
        if (end !== undefined)
          store.associate(
            record,
            end,
            types.map((one) => one.associationTypeId),
          );
      return { status: 201, body: plain(record, Object.keys(properties)) };
    }),
    route('GET', `${records}/{id}`, (type, { id = '' }, request) => {
      const record = store.get(type.plural, id);
      return record === undefined ? missing(type.plural, id) : { status: 200, body: shown(record, request) };
    }),
    route('PATCH', `${records}/{id}`, (type, { id = '' }, request) => {
      const record = store.get(type.plural, id);
      const parsed = changes.safeParse(jsonBody(request));
      if (record === undefined) return missing(type.plural, id);
      if (!parsed.success) return invalid(`Invalid input JSON: ${z.prettifyError(parsed.error)}`);
      const wrong = fault(type, parsed.data.properties);
      if (wrong !== null) return wrong;
      store.update(record, parsed.data.properties);
      return { status: 200, body: plain(record, Object.keys(parsed.data.properties)) };
    }),
    route('DELETE', `${records}/{id}`, (type, { id = '' }) => {
      const record = store.get(type.plural, id);
      if (record !== undefined) store.remove(record);
      return { status: 204, body: '' };
    }),
    route('PUT', `${records}/{id}/associations/{to}/{toId}`, (type, { id = '', to = '', toId = '' }, request) => {
      const types = associationSpec.safeParse(JSON.parse(new TextDecoder().decode(request.body)));
      const from = store.get(type.plural, id);
      const end = types.success ? endOf(store, type, toId, types.data) : undefined;
      if (from === undefined || !types.success || end === undefined || typeNamed(to) !== end.type)
        return missing(to, toId);
      store.associate(
        from,
        end,
        types.data.map((one) => one.associationTypeId),
      );
      const [fromObjectTypeId, toObjectTypeId] = [type.id, end.type.id];
      return {
        status: 201,
        body: { fromObjectTypeId, fromObjectId: id, toObjectTypeId, toObjectId: toId, labels: [] },
      };
    }),
    route('DELETE', `${records}/{id}/associations/{to}/{toId}`, (type, { id = '', to = '', toId = '' }) => {
      const [from, end] = [store.get(type.plural, id), store.get(to, toId)];
      if (from !== undefined && end !== undefined) store.dissociate(from, end);
      return { status: 204, body: '' };
    }),
    route('POST', '/crm/associations/2026-03/{type}/{to}/batch/read', (type, { to = '' }, request) => {
      const other = typeNamed(to);
      if (other === undefined) return invalid(`There is no type ${to}.`);
      const results = batch.parse(jsonBody(request)).inputs.flatMap(({ id }) => {
        const record = store.get(type.plural, id);
        const ends = record === undefined ? [] : store.associated(record, other);
        const to = ends.map(({ to: end, isPrimary }) => ({
          toObjectId: end.id,
          associationTypes: [
            ...(isPrimary && other.plural === 'companies'
              ? [{ category: 'HUBSPOT_DEFINED', typeId: 5, label: 'Primary' }]
              : []),
            { category: 'HUBSPOT_DEFINED', typeId: 341, label: null },
          ],
        }));
        return to.length === 0 ? [] : [{ from: { id }, to }];
      });
      const stamps = { startedAt: new Date().toISOString(), completedAt: new Date().toISOString() };
      return { status: 200, body: { status: 'COMPLETE', results, ...stamps } };
    }),
    route('GET', '/crm/properties/2026-03/{type}', (type) => ({
      status: 200,
      body: { results: store.properties(type).map((one) => ({ ...unsaid, label: one.name, ...one })) },
    })),
  ];
}

/** What a property has besides. */
const unsaid = { description: '', groupName: 'information', options: [] };

type Params = Readonly<Record<string, string>>;

function route(
  method: string,
  path: string,
  answer: (type: EmulatedType, params: Params, request: CrmRequest) => Answer,
): EmulatorRoute {
  return {
    method,
    path,
    answer: (request, params) => {
      const type = typeNamed(params['type'] ?? '');
      return type === undefined
        ? invalid(`Unable to infer object type from: ${params['type']}`)
        : answer(type, params, request);
    },
  };
}

/** What HubSpot demands of a new record. */
function required(
  type: EmulatedType,
  properties: Readonly<Record<string, string>>,
  associations: number,
): Answer | null {
  const isTimed = ['notes', 'tasks', 'calls', 'meetings'].includes(type.plural);
  if (isTimed && !Object.hasOwn(properties, 'hs_timestamp'))
    return invalid('Required properties were not set: hs_timestamp');
  if (type.plural === 'leads' && associations === 0)
    return invalid('A lead must be associated with a contact or a company.');
  if (type.plural === 'deals' && !Object.hasOwn(properties, 'dealstage'))
    return invalid('Required properties were not set: dealstage');
  return null;
}

/** The record at the other end of an association of these types. */
function endOf(
  store: HubSpotStore,
  from: EmulatedType,
  id: string,
  types: z.output<typeof associationSpec>,
): StoredRecord | undefined {
  for (const [names, ids] of Object.entries(associationTypes)) {
    const [first, second = ''] = names.split(' ');
    if (first !== from.plural || !types.every((one) => ids.includes(one.associationTypeId))) continue;
    return store.get(second, id);
  }
  return undefined;
}

/** Associates records of a test. */
export function linked(store: HubSpotStore, from: StoredRecord, to: StoredRecord): void {
  store.associate(from, to, to.type.plural === 'companies' ? primaryTypes : []);
}
