import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { type Json, jsonOr, listOr } from '#adapters/services/from-openapi/json.ts';
import { anySchema, type PlainSchema, withoutBranches } from '#adapters/services/from-openapi/plain-schema.ts';
import { readSchema } from '#adapters/services/from-openapi/read-schema.ts';
import type { AnswerKind } from '#adapters/services/requests/row-options.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The successful answer of an operation, according to its document. */
export type DocumentedAnswer = Readonly<{
  kind: AnswerKind;
  /** The media type to request; null for JSON and for no content. */
  mediaType: string | null;
  /** The schema of a JSON answer. */
  schema: PlainSchema;
  /** The names of its headers, lower-cased. */
  headers: ReadonlySet<string>;
}>;

const isJsonType = (type: string): boolean => /^(?:application\/(?:[\w.+-]+\+)?json\b|\*\/\*)/i.test(type);

/** Reads the successful answer of an operation: its first 2xx response with content, JSON if it has several kinds. */
export function documentedAnswer(document: OpenApiDocument, found: FoundOperation): DocumentedAnswer {
  const responses = jsonOr(found.operation['responses']);
  const codes = Object.keys(responses).filter((code) => code.startsWith('2'));
  const candidates = (codes.length > 0 ? codes.sort() : ['default']).map((code) => {
    const place = [...found.place, 'responses', code];
    return { place, response: document.resolved(responses[code], place) };
  });
  const chosen = candidates.find(({ response }) => Object.keys(jsonOr(response['content'])).length > 0);
  const headers = new Set(
    candidates.flatMap(({ response }) => Object.keys(jsonOr(response['headers'])).map((name) => name.toLowerCase())),
  );
  if (chosen === undefined)
    return { kind: codes.length > 0 ? 'none' : 'json', mediaType: null, schema: anySchema, headers };
  const content = jsonOr(chosen.response['content']);
  return { ...contentOf(document, content, [...chosen.place, 'content']), headers };
}

/** Whether the schema of an operation's 200 is a list, or an object around one; read no deeper than that. */
export function answersWithList(document: OpenApiDocument, { operation, place }: FoundOperation): boolean {
  const at = [...place, 'responses', '200'];
  const content = jsonOr(document.resolved(own(jsonOr(operation['responses']), '200'), at)['content']);
  const json = Object.keys(content).find(isJsonType);
  const resolved = (schema: unknown) => document.resolved(schema, at);
  const whole = resolved(json === undefined ? null : jsonOr(own(content, json))['schema']);
  const parts = [whole, ...listOr(whole['allOf']).map(resolved)];
  const isList = (schema: Json) => schema['type'] === 'array' || schema['items'] !== undefined;
  return parts.some(
    (part) => isList(part) || Object.values(jsonOr(part['properties'])).some((one) => isList(resolved(one))),
  );
}

function contentOf(
  document: OpenApiDocument,
  content: Json,
  place: readonly string[],
): Pick<DocumentedAnswer, 'kind' | 'mediaType' | 'schema'> {
  const types = Object.keys(content);
  const json = types.find(isJsonType);
  const [mediaType = '*/*'] = types;
  const chosen = json ?? mediaType;
  const at = [...place, chosen, 'schema'];
  const given = document.resolved(own(content, chosen), at)['schema'];
  if (isBinary(given)) return { kind: 'file', mediaType: chosen, schema: anySchema };
  if (json !== undefined) {
    const schema = readSchema(document, given, { place: at, use: 'answer' });
    return { kind: 'json', mediaType: isPlainJson(json) ? null : json, schema: withoutBranches(schema) };
  }
  const kind = /^text\/|[/+](?:xml|yaml)\b/i.test(chosen) ? 'text' : 'file';
  return { kind, mediaType: chosen, schema: anySchema };
}

const isBinary = (schema: unknown): boolean => isObject(schema) && schema['format'] === 'binary';
const isPlainJson = (type: string): boolean => /^(?:application\/json\b|\*\/\*)/i.test(type);
