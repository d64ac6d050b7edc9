import { type IncomingHttpHeaders, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { noteExchange } from '#test/kit/exchanges.ts';

/** An HTTP request. A header with a list is sent once per value. */
export type Asking = Readonly<{
  method?: string;
  /** Path and query, as they stand in the request line. */
  path: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Uint8Array;
  /** Aborts the request. */
  signal?: AbortSignal;
}>;

/** The response; redirects are not followed. */
export type Answer = Readonly<{
  /** The request, for messages: `POST /token`. */
  asked: string;
  status: number;
  /** Lower-case names. */
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** A header as one text; an empty one when it is missing. */
  header(name: string): string;
  /** All values of a header that may be repeated. */
  setCookies: readonly string[];
  /** The parsed JSON body; undefined if it is not JSON. */
  json: unknown;
}>;

/** The timeout of one response. */
const answerWithinMs = 60_000;

/**
 * Every request opens a connection of its own: one that is kept may be closed by the target in the moment in which the next request is sent
 * on it, and what the kit sends must not be repeated. The target does not learn this, since it may then close before it has read a whole body.
 */
const unkept = { keepAlive: true, maxFreeSockets: 0 };
const agents = { 'http:': new PlainAgent(unkept), 'https:': new TlsAgent(unkept) };

const places = new Map<string, string>();

/** Connects to another address from now on for what is addressed to a public one, as a proxy in front of the target does. */
export function connectTo(publicUrl: string, baseUrl: string): void {
  places.set(publicUrl, baseUrl);
}

/** Where to connect for an address, and the `Host` to send there. */
export function placeOf(baseUrl: string): Readonly<{ place: URL; host: string }> {
  return { place: new URL(places.get(baseUrl) ?? baseUrl), host: new URL(baseUrl).host };
}

/** Sends one request and reads its whole answer. Certificates of an https target are checked. */
export async function send(baseUrl: string, asking: Asking): Promise<Answer> {
  const { place: base, host } = placeOf(baseUrl);
  const { method = 'GET', path, headers = {}, body, signal } = asking;
  const isTls = base.protocol === 'https:';
  const asked = `${method} ${path.split('?')[0] ?? path}`;
  return new Promise((resolve, reject) => {
    const outgoing = (isTls ? tlsRequest : plainRequest)({
      agent: isTls ? agents['https:'] : agents['http:'],
      hostname: base.hostname.replaceAll(/[[\]]/g, ''),
      port: base.port === '' ? (isTls ? 443 : 80) : Number(base.port),
      method,
      path,
      ...(signal === undefined ? {} : { signal }),
      headers: { host, ...withLength(headers, body), ...headers } as Record<string, string | string[]>,
    });
    outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error(`${asked} had no answer in time`)));
    outgoing.on('error', (error) => reject(new Error(`${asked}: ${error.message}`)));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (error) => reject(new Error(`${asked}: ${error.message}`)));
      incoming.on('end', () => {
        const answer = answerOf(asked, incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks));
        noteExchange(baseUrl, { asked, body }, answer);
        resolve(answer);
      });
    });
    outgoing.end(body);
  });
}

function withLength(headers: Asking['headers'], body: Asking['body']): Record<string, string> {
  const isAnnounced = Object.keys(headers ?? {}).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  return body === undefined || isAnnounced ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function answerOf(asked: string, status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString();
  return {
    asked,
    status,
    headers,
    bytes,
    text,
    header: (name) => [headers[name] ?? ''].flat().join(', '),
    setCookies: headers['set-cookie'] ?? [],
    json: parsed(text),
  };
}

/** Parses JSON; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fields as a form's body. */
export function form(fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[]): string {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  return new URLSearchParams(
    pairs.map(([name, value]: readonly [string, string]): [string, string] => [name, value]),
  ).toString();
}
