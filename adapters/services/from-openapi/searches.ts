import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import type { RequestBody } from '#adapters/services/from-openapi/request-body.ts';
import { isObject } from '#domain/json/json-data.ts';

/** The last words of paths whose POST looks for records, as the name of the path says. */
const searchEnd = /(?:^|[/:_.-])(?:search|query|lookup|count|batch\/read|batch[_-]get)$/i;
/** Names of inputs with a statement in a language that can also change data. */
const statements = /^(?:sql|statements?|script|command|commands|mutation|gql|graphql|code|expression)$/i;

/** Whether a POST only looks for records: its path ends with such a word, and it answers with 200 and nothing else. */
export function isSearch({ method, path, operation }: FoundOperation): boolean {
  const responses = isObject(operation['responses']) ? Object.keys(operation['responses']) : [];
  const successes = responses.filter((code) => code.startsWith('2'));
  return method === 'POST' && searchEnd.test(path) && successes.length === 1 && successes[0] === '200';
}

/** Whether a search's body holds no statement, which could change what it looks through. */
export function onlySearches(body: RequestBody | null): boolean {
  if (body === null) return true;
  if (!('members' in body) || body.kind !== 'json') return false;
  return !body.members.some(({ name }) => statements.test(name));
}
