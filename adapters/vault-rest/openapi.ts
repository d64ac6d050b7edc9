import { stringify } from 'yaml';
import type { VaultRoute } from '#adapters/vault-rest/vault-route.ts';
import { interfaceVersion } from '#application/vault/vault-info.ts';
import { own } from '#domain/shared/own.ts';

/** Generates the OpenAPI document as YAML from the route table that serves requests. */
export function openapiYaml(routes: readonly VaultRoute[]): string {
  const paths: Record<string, Record<string, unknown>> = {
    '/': { get: { summary: 'Returns whether the vault is served, and the key valid', security: [], responses } },
  };
  for (const { method, pattern, summary } of routes) {
    const path = pattern.replaceAll('{+', '{');
    paths[path] = {
      ...own(paths, path),
      [method.toLowerCase()]: { summary, ...parametersOf(pattern, method), responses },
    };
  }
  return stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Embedded vault', version: interfaceVersion },
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } }, schemas: { Error: errorSchema } },
      paths,
    },
    { aliasDuplicateObjects: false },
  );
}

const errorSchema = {
  type: 'object',
  properties: { message: { type: 'string' }, errorCode: { type: 'integer' } },
  required: ['message', 'errorCode'],
};
const errorBody = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const responses = {
  '2XX': { description: 'Done' },
  '4XX': { description: 'Refused', content: errorBody },
  '5XX': { description: 'Failed', content: errorBody },
};

const patchHeaders = [
  ['Operation', true, ['append', 'prepend', 'replace']],
  ['Target-Type', true, ['heading', 'block', 'frontmatter']],
  ['Target', true, null],
  ['Target-Delimiter', false, null],
  ['Trim-Target-Whitespace', false, ['true', 'false']],
  ['Create-Target-If-Missing', false, ['true', 'false']],
  ['Reject-If-Content-Preexists', false, ['true', 'false']],
  ['Markdown-Patch-Version', false, ['1']],
] as const;

function parametersOf(pattern: string, method: string): Readonly<Record<string, unknown>> {
  const inPath = [...pattern.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => parameter(name ?? '', 'path', true, null));
  const inHeaders =
    method === 'PATCH'
      ? patchHeaders.map(([name, required, values]) => parameter(name, 'header', required, values))
      : [];
  const inQuery =
    pattern === '/search/simple/'
      ? [parameter('query', 'query', true, null), parameter('contextLength', 'query', false, null)]
      : [];
  const parameters = [...inPath, ...inHeaders, ...inQuery];
  return parameters.length === 0 ? {} : { parameters };
}

function parameter(name: string, place: string, required: boolean, values: readonly string[] | null): unknown {
  return { name, in: place, required, schema: { type: 'string', ...(values === null ? {} : { enum: values }) } };
}
