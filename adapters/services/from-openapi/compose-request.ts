import type { PlacedInput } from '#adapters/services/from-openapi/inputs.ts';
import { simpleParts, textOf } from '#adapters/services/from-openapi/parameter-text.ts';
import type { ParameterStyle } from '#adapters/services/from-openapi/parameters.ts';
import type { RequestBody } from '#adapters/services/from-openapi/request-body.ts';
import { fileOf } from '#adapters/services/requests/file-input.ts';
import type { ComposedRequest } from '#adapters/services/requests/row-options.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { multipart } from '#infrastructure/http/multipart.ts';

/** The request of an operation, according to its document. */
export type RequestPlan = Readonly<{ path: string; inputs: readonly PlacedInput[]; body: RequestBody | null }>;

type Values = Readonly<Record<string, unknown>>;

/** Builds the request of an operation, with each input in its place and style. */
export function composeRequest({ path, inputs, body }: RequestPlan, values: Values): ComposedRequest {
  const at = (place: PlacedInput['place']) =>
    inputs.flatMap((one) => {
      const value = own(values, one.input);
      return one.place === place && value !== undefined ? [{ ...one, value }] : [];
    });
  const inPath = new Map(at('path').map(({ name, value, style }) => [name, pathText(value, style)]));
  const query = new URLSearchParams();
  for (const { name, value, style } of at('query')) appendQuery(query, name, { value, style });
  const members = at('body').map(({ name, value }) => [name, value] as const);
  const content = body === null ? null : bodyContent(body, members);
  return {
    path: path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => inPath.get(name) ?? ''),
    query,
    headers: {
      ...Object.fromEntries(
        at('header').map(({ name, value, style }) => [name.toLowerCase(), simpleParts(value, style).join(',')]),
      ),
      ...content?.headers,
    },
    ...(content === null ? {} : { body: content.bytes }),
  };
}

const pathText = (value: unknown, style: ParameterStyle): string =>
  simpleParts(value, style).map(encodeURIComponent).join(',');

const separators: Readonly<Partial<Record<ParameterStyle['kind'], string>>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

function appendQuery(
  query: URLSearchParams,
  name: string,
  { value, style }: Readonly<{ value: unknown; style: ParameterStyle }>,
): void {
  const { kind, explode } = style;
  if (kind === 'json') query.append(name, JSON.stringify(value));
  else if (Array.isArray(value)) {
    if (explode) for (const item of value) query.append(name, textOf(item));
    else query.append(name, value.map(textOf).join(separators[kind] ?? ','));
  } else if (!isObject(value)) query.append(name, textOf(value));
  else if (kind === 'deepObject') appendDeep(query, name, value);
  else if (explode) for (const [part, one] of Object.entries(value)) query.append(part, textOf(one));
  else query.append(name, simpleParts(value, style).join(','));
}

/** Appends an object as `name[part]=value`, recursively. */
function appendDeep(query: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) appendDeep(query, `${name}[${index}]`, item);
  else if (isObject(value)) for (const [part, one] of Object.entries(value)) appendDeep(query, `${name}[${part}]`, one);
  else query.append(name, textOf(value));
}

type Member = readonly [string, unknown];
type Content = Readonly<{ bytes: NonNullable<ComposedRequest['body']>; headers: Readonly<Record<string, string>> }>;

/** Builds the body; null when it is optional and none of its members was given. */
function bodyContent(body: RequestBody, members: readonly Member[]): Content | null {
  if (members.length === 0 && !body.required) return null;
  const typed = { 'content-type': body.mediaType };
  const [, whole] = members[0] ?? [];
  switch (body.kind) {
    case 'json':
      return { bytes: JSON.stringify(Object.fromEntries(members)), headers: typed };
    case 'whole-json':
      return { bytes: JSON.stringify(whole ?? null), headers: typed };
    case 'text':
      return { bytes: textOf(whole ?? ''), headers: typed };
    case 'file':
      return fileContent(whole, body.mediaType);
    case 'form':
      return { bytes: formText(members), headers: typed };
    case 'multipart':
      return formContent(body.members.find(({ schema }) => schema === 'file')?.name, members);
  }
}

/** Sends a file under its own media type where the document leaves the type open. */
function fileContent(value: unknown, mediaType: string): Content {
  const { bytes, size, mediaType: own } = fileOf(value);
  const length = size === null ? {} : { 'content-length': String(size) };
  return { bytes, headers: { 'content-type': mediaType.includes('*') ? own : mediaType, ...length } };
}

function formText(members: readonly Member[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of members) appendDeep(form, name, value);
  return form.toString();
}

/** Builds a form; `field` is the name of its file, undefined for a form without one. */
function formContent(field: string | undefined, members: readonly Member[]): Content {
  const file = members.find(([name]) => name === field)?.[1];
  const fields = Object.fromEntries(
    members.filter(([name]) => name !== field).map(([name, one]) => [name, textOf(one)]),
  );
  const form = multipart(fields, file === undefined || field === undefined ? null : { ...fileOf(file), field });
  const length = form.length === null ? {} : { 'content-length': String(form.length) };
  return { bytes: form.bytes, headers: { 'content-type': form.contentType, ...length } };
}
