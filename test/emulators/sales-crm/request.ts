import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';

/** A request as it came. */
export type CrmRequest = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}>;

/** Answers a request whose path has been matched; `params` are the named parts of the path. */
export type Handler = (request: CrmRequest, params: Readonly<Record<string, string>>) => Answer | Promise<Answer>;

/** A method, a path such as `/v1/leads/{id}`, and who answers. */
export type EmulatorRoute = Readonly<{ method: string; path: string; answer: Handler }>;

const jsonObject = z.record(z.string(), z.unknown());

/** Reads a request to its end. */
export async function readRequest(message: IncomingMessage): Promise<CrmRequest> {
  const url = new URL(message.url ?? '/', 'http://emulator');
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body: Uint8Array.from(await buffer(message)),
  };
}

/** The JSON object in the body; null when it is none. */
export function jsonBody({ body }: CrmRequest): Readonly<Record<string, unknown>> | null {
  if (body.byteLength === 0) return {};
  try {
    return jsonObject.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return null;
  }
}

/** The form in the body, multipart or urlencoded; throws for any other. */
export function formBody({ body, headers }: CrmRequest): Promise<FormData> {
  return new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
}

/** The first route that fits, static paths before named ones. */
export function routerOf(routes: readonly EmulatorRoute[]) {
  const ranked = [...routes].sort((left, right) => Number(left.path.includes('{')) - Number(right.path.includes('{')));
  const compiled = ranked.map((route) => ({ ...route, pattern: patternOf(route.path) }));
  return (request: CrmRequest): (() => Answer | Promise<Answer>) | null => {
    for (const { method, pattern, answer } of compiled) {
      const match = method === request.method ? pattern.exec(request.path) : null;
      if (match !== null) {
        const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
        return () => answer(request, Object.fromEntries(params));
      }
    }
    return null;
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
