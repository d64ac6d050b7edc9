import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Json } from '#test/emulators/signing/world.ts';

/** What an answer is: JSON, a redirect or bytes; without any of them there is no body. */
export type Reply = Readonly<{
  status: number;
  json?: unknown;
  bytes?: AsyncIterable<Uint8Array>;
  headers?: Readonly<Record<string, string>>;
}>;

/** A request as handlers read it. */
export type Ask = Readonly<{
  method: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}>;

/** Answers with a record or list. */
export const json = (status: number, body: unknown): Reply => ({ status, json: body });
/** Answers that it was done. */
export const done: Reply = { status: 204 };
/** Refuses, as the service words it. */
export const refused = (status: number, type: string, detail: unknown): Reply => json(status, { type, detail });
/** There is no such record. */
export const notFound = refused(404, 'request_error', 'Not found');
/** An input is wrong. */
export const invalid = (detail: Json): Reply => refused(400, 'validation_error', detail);

/** The JSON object of a body; null when it is none. */
export function objectIn(ask: Ask): Json | null {
  try {
    const value: unknown = JSON.parse(ask.body.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether it is a JSON object. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a value that should be a list of them. */
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A text, or what stands in for it. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** The page that was asked for, or why there is none. */
export function paged(query: URLSearchParams, items: readonly unknown[]): Reply {
  const page = numberIn(query, 'page', 1);
  const count = numberIn(query, 'count', 50);
  if (page === null || page < 1) return invalid({ page: ['A valid integer is required.'] });
  if (count === null || count < 1 || count > 100) {
    return invalid({ count: ['Ensure this value is between 1 and 100.'] });
  }
  return json(200, { results: items.slice((page - 1) * count, page * count) });
}

/** A whole number of the query; null when it is something else. */
export function numberIn(query: URLSearchParams, name: string, otherwise: number): number | null {
  const text = query.get(name);
  if (text === null) return otherwise;
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** A request with its whole body. */
export async function asked(
  request: IncomingMessage,
  url: URL,
  params: Readonly<Record<string, string>>,
): Promise<Ask> {
  const body = await buffer(request);
  return { method: request.method ?? 'GET', params, query: url.searchParams, headers: request.headers, body };
}

/** Sends an answer; a reader that goes away ends it. */
export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const headers: Record<string, string> = { ...reply.headers };
  if (reply.bytes !== undefined) {
    response.writeHead(reply.status, headers);
    await pipeline(Readable.from(reply.bytes), response).catch(() => response.destroy());
    return;
  }
  if (reply.json === undefined) {
    response.writeHead(reply.status, headers).end();
    return;
  }
  response.writeHead(reply.status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(reply.json));
}
