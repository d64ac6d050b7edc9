import { isObject, withChangedMembers } from '#domain/json/json-data.ts';

/**
 * Leaves the ids of records inside a list's items out, such as that of an issue's state: tools take their names, and an
 * id takes as many tokens as the rest of such a record. Those stay that the schema documents, that nothing else names,
 * or that `fields` asks for as a path ("state.id").
 */
export function withoutNestedIds(data: unknown, schema: unknown, fields: unknown): unknown {
  const paths = Array.isArray(fields) ? fields.map(String).filter((name) => name.endsWith('.id')) : [];
  const isAsked = (path: string) => paths.length > 0 && paths.includes(`${path}.id`);
  return Array.isArray(data) ? data.map((item) => inside(item, itemsOf(schema), { path: '', isAsked })) : data;
}

type Place = Readonly<{ path: string; isAsked: (path: string) => boolean }>;

/** The members of a record, with the records in them without their ids; the record itself where nothing is left out. */
function inside(value: unknown, schema: unknown, { path, isAsked }: Place): unknown {
  if (!isObject(value)) return value;
  return withChangedMembers(value, (member, name) => {
    const place = { path: path === '' ? name : `${path}.${name}`, isAsked };
    const property = propertyOf(schema, name);
    if (!Array.isArray(member)) return shortened(member, property, place);
    return member.map((one) => shortened(one, itemsOf(property), place));
  });
}

function shortened(value: unknown, schema: unknown, place: Place): unknown {
  if (!isObject(value)) return value;
  const { id, ...rest } = value;
  const isKept =
    id === undefined ||
    Object.keys(rest).length === 0 ||
    !hasProperties(schema) ||
    propertyOf(schema, 'id') !== undefined ||
    place.isAsked(place.path);
  return inside(isKept ? value : rest, schema, place);
}

const hasProperties = (schema: unknown) => isObject(schema) && isObject(schema['properties']);

const itemsOf = (schema: unknown) => (isObject(schema) ? schema['items'] : undefined);

function propertyOf(schema: unknown, name: string): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
