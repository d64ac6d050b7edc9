import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { type Json, jsonOr } from '#adapters/services/from-openapi/json.ts';
import { anySchema, type PlainSchema, withoutBranches } from '#adapters/services/from-openapi/plain-schema.ts';
import { readSchema } from '#adapters/services/from-openapi/read-schema.ts';
import type { AnswerKind } from '#adapters/services/row-options.ts';
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
