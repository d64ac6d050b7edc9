import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { type Json, jsonOr, valueAt } from '#adapters/services/from-openapi/json.ts';
import { isObjectSchema, type PlainSchema, withoutBranches } from '#adapters/services/from-openapi/plain-schema.ts';
import { readSchema } from '#adapters/services/from-openapi/read-schema.ts';
import { isObject } from '#domain/json/json-data.ts';

/** A member of a body that is its own input; a file has no schema. */
export type BodyMember = Readonly<{ name: string; required: boolean; schema: PlainSchema | 'file' }>;

/**
 * How a body is sent. `members` are merged into the inputs; `whole` is one input for the entire body: a list, a text, a
 * file, or an object with arbitrary member names.
 */
export type RequestBody = Readonly<
  { mediaType: string; required: boolean } & (
    | { kind: 'json' | 'form' | 'multipart'; members: readonly BodyMember[] }
    | { kind: 'whole-json' | 'text' | 'file'; whole: BodyMember }
  )
>;

const isJsonType = (type: string): boolean => /^application\/(?:[\w.+-]+\+)?json\b/.test(type);

/** Media types in order of preference. */
const preferences: readonly ((type: string) => boolean)[] = [
  (type) => type.startsWith('application/json'),
  isJsonType,
  (type) => type.startsWith('multipart/form-data'),
  (type) => type.startsWith('application/x-www-form-urlencoded'),
  (type) => type.startsWith('text/'),
  (type) => /^(?:application\/(?:octet-stream|pdf|zip)|image\/|audio\/|video\/|\*\/\*)/.test(type),
];

/** Reads the body of an operation; null when it has none. */
export function requestBodyOf(document: OpenApiDocument, found: FoundOperation): RequestBody | null {
  const place = [...found.place, 'requestBody'];
  const given = found.operation['requestBody'];
  if (!isObject(given)) return null;
  const body = document.resolved(given, place);
  const content = jsonOr(body['content']);
  const types = Object.keys(content);
  if (types.length === 0) return null;
  const mediaType = preferences.flatMap((isOf) => types.filter((type) => isOf(type.toLowerCase())))[0];
  if (mediaType === undefined) {
    throw document.fault(
      [...place, 'content'],
      `has ${types.join(', ')}; JSON, a form, text or a file would be supported`,
    );
  }
  const at = [...place, 'content', mediaType, 'schema'];
  const schema = document.resolved(content[mediaType], at)['schema'];
  const required = body['required'] === true;
  const type = mediaType.toLowerCase();
  if (isJsonType(type)) return jsonBody(document, schema, { at, mediaType, required });
  if (type.startsWith('text/')) {
    const text = readSchema(document, schema, { place: at, use: 'input' });
    return {
      kind: 'text',
      mediaType,
      required,
      whole: { name: 'body', required, schema: { ...text, types: ['string'] } },
    };
  }
  if (type.startsWith('multipart/')) return formBody(document, schema, { at, mediaType, required }, 'multipart');
  if (type.startsWith('application/x-www')) return formBody(document, schema, { at, mediaType, required }, 'form');
  return { kind: 'file', mediaType, required, whole: { name: 'file', required, schema: 'file' } };
}

type At = Readonly<{ at: readonly string[]; mediaType: string; required: boolean }>;

function jsonBody(document: OpenApiDocument, given: unknown, { at, mediaType, required }: At): RequestBody {
  const schema = withoutBranches(readSchema(document, given, { place: at, use: 'input' }));
  if (!isObjectSchema(schema) || schema.properties.size === 0 || takesOthers(schema)) {
    return { kind: 'whole-json', mediaType, required, whole: { name: 'body', required, schema } };
  }
  return { kind: 'json', mediaType, required, members: membersOf(schema, required) };
}

/** Whether arbitrary member names are explicitly accepted, which fixed inputs could not carry. */
const takesOthers = ({ additional }: PlainSchema): boolean => additional !== null && additional !== false;

/** The members of a body. Those of an optional body are optional too: giving none of them sends no body. */
function membersOf({ properties, required }: PlainSchema, isNeeded: boolean): readonly BodyMember[] {
  return [...properties].map(([name, schema]) => ({ name, required: isNeeded && required.has(name), schema }));
}

function formBody(
  document: OpenApiDocument,
  given: unknown,
  { at, mediaType, required }: At,
  kind: 'form' | 'multipart',
): RequestBody {
  const schema = withoutBranches(readSchema(document, given, { place: at, use: 'input' }));
  const parts = jsonOr(valueAt(document.resolved(given, at), ['properties']));
  const members = membersOf(schema, required).map((member): BodyMember => {
    const isFile = kind === 'multipart' && isBinary(member, parts[member.name]);
    return isFile ? { ...member, schema: 'file' } : member;
  });
  const files = members.filter((member) => member.schema === 'file').map(({ name }) => `"${name}"`);
  if (files.length > 1) {
    throw document.fault(at, `has the files ${files.join(' and ')}; one file is supported, so leave the operation out`);
  }
  return { kind, mediaType, required, members };
}

/**
 * Whether a form member is a file: binary in OpenAPI 3.0; in 3.1 a string with a media type, or an unspecified schema.
 */
function isBinary({ schema }: BodyMember, given: unknown): boolean {
  if (schema === 'file') return true;
  if (schema.format === 'binary') return true;
  const part: Json = jsonOr(given);
  return part['contentMediaType'] !== undefined && part['contentEncoding'] === undefined;
}
