import { holds, includes, Mismatch, missingFrom, shown, status, succeeded } from '#test/kit/checks.ts';
import { type Clause, contract, type ServiceKey } from '#test/kit/clause.ts';
import { lineOf, type Received } from '#test/kit/emulators/emulator.ts';
import type { Kit } from '#test/kit/kit.ts';

/** What a received request must contain besides its method and path. Other members are not checked. */
export type Brings = Readonly<{
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** The raw body. */
  text?: string;
  headers?: Readonly<Record<string, string | RegExp>>;
}>;

/** A REST call below `/api/{service}`, such as `PATCH /deals/41`, and the request that it must cause. */
export type Row = readonly [key: string, call: string, body: unknown, sent: string, brings?: Brings];

/** Makes a clause for each row: the call is answered 200, and its request arrives at the service's emulator. */
export function rowClauses(service: ServiceKey, rows: readonly Row[]): readonly Clause[] {
  return rows.map(([key, call, body, sent, brings]) =>
    contract(
      key,
      `${call} is sent as ${sent}`,
      async (kit) => {
        const [method = '', path = ''] = call.split(' ');
        const { value: answer, received } = await kit.arriving(service, () =>
          kit.api(method, `/api/${service}${path}`, body),
        );
        arrived(received, sent, brings);
        succeeded(answer);
      },
      ['login', 'rest', `service:${service}`],
    ),
  );
}

/** A tool with its inputs, and the request that the call must cause. */
export type ToolRow = readonly [
  key: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  sent: string,
  brings?: Brings,
];

/** Makes a clause for each tool: the call succeeds, and its request arrives. `make` decides the clause's layer. */
export function toolClauses(service: ServiceKey, make: typeof contract, rows: readonly ToolRow[]): readonly Clause[] {
  return rows.map(([key, tool, input, sent, brings]) =>
    make(
      `${key}/tool.${tool}`,
      `the tool ${tool} is sent as ${sent}`,
      async (kit) => {
        const mcp = await kit.mcp();
        const { value: result, received } = await kit.arriving(service, () => mcp.call(tool, input));
        arrived(received, sent, brings);
        holds(!result.isError, `${tool} to succeed`, result.text);
      },
      ['login', `service:${service}`],
    ),
  );
}

/** Finds the request `GET /path` with the expected contents among those received; otherwise fails with what was received. */
export function arrived(received: readonly Received[], sent: string, brings: Brings = {}): Received {
  const candidates = received.filter(({ method, path }) => `${method} ${path}` === sent);
  const [first] = candidates;
  if (first === undefined) throw new Mismatch(`${sent} to arrive`, shown(received.map(lineOf)));
  const fitting = candidates.find((request) => departure(request, brings) === null);
  if (fitting !== undefined) return fitting;
  throw new Mismatch(`${sent} to arrive with ${shown(brings)}`, `${lineOf(first)}: ${departure(first, brings) ?? ''}`);
}

/** What a request lacks of the expected contents; null if nothing. */
function departure(request: Received, { query = {}, json, text, headers = {} }: Brings): string | null {
  for (const [name, value] of Object.entries(query)) {
    if (request.query.get(name) !== value) return `the query has ${name}=${request.query.get(name) ?? '(nothing)'}`;
  }
  for (const [name, value] of Object.entries(headers)) {
    const came = new Map(Object.entries(request.headers)).get(name) ?? '';
    const fits = typeof value === 'string' ? came === value : value.test(came);
    if (!fits) return `the header ${name} is ${shown(came)}`;
  }
  if (text !== undefined && request.text !== text) return `the body is ${shown(request.text)}`;
  const missing = json === undefined ? null : missingFrom(request.json, json, '');
  return missing === null ? null : `the body is ${shown(request.text)}, which departs at ${missing}`;
}

/** Calls a REST route and returns its `data`. */
export async function dataOf(kit: Kit, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await kit.api(method, path, body);
  status(answer, 200);
  includes(answer.json, {}, 'the answer');
  return new Map(Object.entries(answer.json ?? {})).get('data');
}
