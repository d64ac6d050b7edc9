import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import { fileOf } from '#adapters/services/requests/file-input.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { ComposedRequest, RowMethod } from '#adapters/services/requests/row-options.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { multipart } from '#infrastructure/http/multipart.ts';

/** A request as sent, before timeouts and size limits are added. */
export type WireRequest = Readonly<{
  method: RowMethod;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}>;

/** A row's validated inputs. */
export type Inputs = Readonly<Record<string, unknown>>;

const placeholder = /\{(\+?)([^{}]+)\}/g;

/** Builds the request for a row's inputs, in a dialect, for a connection. Each input is sent exactly once. */
export function wireRequest(row: RequestRow, inputs: Inputs, dialect: Dialect, record: TokenRecord): WireRequest {
  const { sent } = row.options;
  const { method, path } = placeOf(row);
  const composed = row.options.compose?.(inputs);
  if (composed !== undefined) return withPlace(row, composed, dialect, record);
  const plain = row.options.adapt?.(inputs) ?? inputs;
  const adapted = sent?.adapt?.(plain) ?? plain;
  const local: readonly string[] = row.options.local ?? [];
  const rest = new Map(Object.entries(adapted).filter(([name, value]) => value !== undefined && !local.includes(name)));
  const file = fileInputOf(row, rest);
  const filled = fillPath(file === null ? path : (sent?.uploadPath?.(nameOfFile(rest.get(file))) ?? path), rest);
  const headers = takeHeaders(row, rest);
  const accept = mediaType(row.options.accept, rest, dialect) ?? 'application/json';
  const contentType = mediaType(row.options.contentType, rest, dialect);
  const signed = dialect.credentials(record);
  const query = takeQuery(row, method, rest, signed.query);
  const body = file === null ? bodyOf(row, rest, contentType) : formOf(file, rest);
  const search = query === '' ? '' : `${filled.includes('?') ? '&' : '?'}${query}`;
  return {
    method,
    url: `${dialect.baseUrl(record) ?? ''}${filled}${search}`,
    headers: { ...dialect.headers, accept, ...headers, ...body?.headers, ...signed.headers },
    ...(body === null ? {} : { body: body.content }),
  };
}

/** Adds the dialect's address and credentials to a request composed by its row. */
function withPlace(
  row: RequestRow,
  { path, query, headers, body }: ComposedRequest,
  dialect: Dialect,
  record: TokenRecord,
): WireRequest {
  const signed = dialect.credentials(record);
  for (const [name, value] of Object.entries(signed.query ?? {})) query.set(name, value);
  const accept = mediaType(row.options.accept, new Map(), dialect) ?? 'application/json';
  const search = query.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${query.toString()}`;
  return {
    method: row.method,
    url: `${dialect.baseUrl(record) ?? ''}${path}${search}`,
    headers: { accept, ...dialect.headers, ...headers, ...signed.headers },
    ...(body === undefined ? {} : { body }),
  };
}

/** The method and path template that the vendor has for a row. */
export function placeOf({
  method,
  path,
  options: { sent },
}: RequestRow): Readonly<{ method: RowMethod; path: string }> {
  return { method: sent?.method ?? method, path: sent?.path ?? path };
}

/** The file input, if a file was given; in some rows it is optional. */
function fileInputOf({ options: { multipart } }: RequestRow, rest: ReadonlyMap<string, unknown>): string | null {
  return multipart !== undefined && rest.has(multipart) ? multipart : null;
}

function nameOfFile(file: unknown): string {
  return isObject(file) && typeof file['name'] === 'string' ? file['name'] : '';
}

function fillPath(path: string, rest: Map<string, unknown>): string {
  return path.replaceAll(placeholder, (_, slashes: string, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return slashes === '+' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
}

function takeHeaders(row: RequestRow, rest: Map<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, plan] of Object.entries(row.options.headers ?? {})) {
    if (!rest.has(name)) continue;
    const text = String(rest.get(name));
    headers[plan.header.toLowerCase()] = plan.encode === 'percent' ? encodeURIComponent(text) : text;
    rest.delete(name);
  }
  return headers;
}

function mediaType(
  choice: Readonly<{ kind: string } | { input: string }> | undefined,
  rest: Map<string, unknown>,
  dialect: Dialect,
): string | null {
  if (choice === undefined) return null;
  if ('kind' in choice) return dialect.mediaTypes[choice.kind] ?? choice.kind;
  const kind = String(rest.get(choice.input));
  rest.delete(choice.input);
  return dialect.mediaTypes[kind] ?? kind;
}

/** The query of the inputs that go there, and of the credentials; empty when there is nothing for it. */
function takeQuery(
  row: RequestRow,
  method: RowMethod,
  rest: Map<string, unknown>,
  signed?: Readonly<Record<string, string>>,
): string {
  if (rest.size === 0 && signed === undefined) return '';
  const query = new URLSearchParams();
  const names = method === 'GET' || method === 'DELETE' ? [...rest.keys()] : (row.options.query ?? []);
  for (const name of names) {
    if (name === row.options.body || !rest.has(name)) continue;
    const value = rest.get(name);
    if (row.options.repeat?.includes(name) === true && Array.isArray(value)) {
      for (const item of value) query.append(name, queryText(item));
    } else query.set(name, queryText(value));
    rest.delete(name);
  }
  for (const [name, value] of Object.entries(signed ?? {})) query.set(name, value);
  return query.toString();
}

/** Formats lists as comma-separated text, as the providers' list parameters expect. */
function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(queryText).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

type Body = Readonly<{
  content: string | Uint8Array | AsyncIterable<Uint8Array>;
  headers: Readonly<Record<string, string>>;
}>;

/** Builds a form: the named input is the file, the others are its fields. */
function formOf(name: string, rest: Map<string, unknown>): Body {
  const file = fileOf(rest.get(name));
  rest.delete(name);
  const fields = Object.fromEntries([...rest].map(([field, value]) => [field, fieldText(value)]));
  const form = multipart(fields, { ...file, field: name });
  const length = form.length === null ? {} : { 'content-length': String(form.length) };
  return { content: form.bytes, headers: { 'content-type': form.contentType, ...length } };
}

/** A field of a form: lists and objects are JSON. */
function fieldText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : queryText(value);
}

function bodyOf(row: RequestRow, rest: Map<string, unknown>, contentType: string | null): Body | null {
  const { body: whole, graphql } = row.options;
  if (graphql !== undefined) {
    const text = JSON.stringify({ query: graphql.document, variables: Object.fromEntries(rest) });
    return { content: text, headers: { 'content-type': 'application/json' } };
  }
  if (whole === undefined) {
    if (rest.size === 0) return null;
    return { content: JSON.stringify(Object.fromEntries(rest)), headers: { 'content-type': 'application/json' } };
  }
  const value = rest.get(whole);
  if (typeof value === 'string')
    return { content: value, headers: { 'content-type': contentType ?? 'application/json' } };
  const type = contentType?.endsWith('json') === true ? contentType : 'application/json';
  return { content: JSON.stringify(value), headers: { 'content-type': type } };
}
