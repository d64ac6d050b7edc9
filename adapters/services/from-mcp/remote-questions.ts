import type { RemoteServer } from '#adapters/services/from-mcp/remote-server.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import type { AnsweredRecord, Question, ServiceQuestions } from '#application/ports/service-questions.ts';
import { isObject, jsonOrNull } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { jsonSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';
import { isSchema } from '#infrastructure/json-schema/walk-schema.ts';

/** The inputs that take words, the likeliest first. */
const wordInputs: readonly string[] = ['query', 'q', 'search', 'text', 'term'];

/** What `workspace_search` asks of a remote server: its tools that are marked for it, as they are then. */
export function remoteQuestions(server: RemoteServer): ServiceQuestions {
  return {
    search: (query) =>
      Object.entries(server.searched).flatMap(([operation, row]): Question[] => {
        const input = wordInputOf(row);
        return input === null ? [] : [{ operation, input: { [input]: query }, records: recordsIn }];
      }),
  };
}

/** The input of a tool that takes words: one of the usual names, else the only required one. */
function wordInputOf({ input }: Operation): string | null {
  const { properties, required } = jsonSchemaOf(input);
  if (!isSchema(properties)) return null;
  const usual = wordInputs.find((name) => Object.hasOwn(properties, name));
  if (usual !== undefined) return usual;
  const [only, ...others] = Array.isArray(required) ? required : [];
  return typeof only === 'string' && others.length === 0 ? only : null;
}

/** The records of an answer: the items of its only list, else a text as one. */
function recordsIn(data: unknown): readonly AnsweredRecord[] | null {
  const read = typeof data === 'string' ? (parsed(data) ?? data) : data;
  if (typeof read === 'string') return read.trim() === '' ? [] : [recordOf({ title: read })];
  const list = Array.isArray(read) ? read : isObject(read) ? Object.values(read).find(Array.isArray) : undefined;
  return list === undefined ? null : list.filter(isObject).map(recordOf);
}

function recordOf(item: Readonly<Record<string, unknown>>): AnsweredRecord {
  const text = (...names: readonly string[]) => {
    const found = names
      .map((name) => own(item, name))
      .find((value) => typeof value === 'string' || typeof value === 'number');
    return found === undefined ? null : String(found);
  };
  const id = text('id', 'uri', 'url', 'path', 'name', 'title') ?? '';
  const title = text('title', 'name', 'summary', 'text') ?? id;
  return { kind: 'result', id, title, state: null, time: null, link: text('url', 'link', 'uri') };
}

function parsed(text: string): unknown {
  return /^\s*[[{]/.test(text) ? jsonOrNull(text) : null;
}
