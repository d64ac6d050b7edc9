import { appendFileSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/**
 * The folder with the vendors' published interfaces in folders of their names, the folder where Prism is installed, and a
 * file that gets a line for each request. They are not part of this project: without them nothing is validated.
 */
const { PUBLISHED_INTERFACES: folder, PRISM: prism, PUBLISHED_REPORT: report } = process.env;

/** Where an interface contradicts its own examples: a list of links is an array, the end of a webhook a text. */
const contradictions = [/remotelink: .*must be object/, /webhook: .*expirationDate must be integer/];

const result = z.union([
  z.looseObject({ _tag: z.literal('Right'), right: z.unknown() }),
  z.looseObject({ _tag: z.literal('Left'), left: z.unknown() }),
]);
const taking = z.custom<(given: unknown) => unknown>((value) => typeof value === 'function');
const reading = z.custom<(path: string) => Promise<unknown[]>>((value) => typeof value === 'function');
const authorizationCode = z.looseObject({ scopes: z.record(z.string(), z.string()) });
const operation = z.looseObject({
  method: z.string(),
  path: z.string(),
  request: z.looseObject({ query: z.array(z.looseObject({ name: z.string() })).optional() }).optional(),
  security: z.array(z.array(z.looseObject({ flows: z.looseObject({ authorizationCode }).optional() }))).catch([]),
});

/** The scopes that an app asks for. */
export function scopesOf(facts: OAuthFacts): ReadonlySet<string> {
  const app = { clientId: '', clientSecret: '', scopes: null };
  const asked = facts.authorizationParameters({ app, redirectUri: '', extra: {}, registersWebhooks: true });
  return new Set(Object.values(asked).flatMap((text) => text.split(' ')));
}

type Checker = Readonly<{
  scopes: ReadonlySet<string>;
  operations: readonly unknown[];
  parts: Record<'route' | 'input' | 'output', (given: unknown) => unknown>;
}>;

const checkers = new Map<string, ReturnType<typeof loaded>>();

async function loaded(vendor: string, from: string, specs: string): Promise<Omit<Checker, 'scopes'>> {
  const require = createRequire(join(from, 'package.json'));
  const part = (path: string): Readonly<Record<string, unknown>> => require(`@stoplight/prism-http/dist/${path}`);
  const read = reading.parse(part('index.js')['getHttpOperationsFromSpec']);
  const files = readdirSync(join(specs, vendor)).filter((name) => name.endsWith('.json'));
  const lists = await Promise.all(files.map((name) => read(join(specs, vendor, name))));
  const { validateInput, validateOutput } = part('validator/index.js');
  const parts = { route: part('router/index.js')['default'], input: validateInput, output: validateOutput };
  return {
    operations: lists.flat(),
    parts: { route: taking.parse(parts.route), input: taking.parse(parts.input), output: taking.parse(parts.output) },
  };
}

type Exchange = Readonly<{
  message: IncomingMessage;
  sent: Buffer;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** What differs from the interface in a request, and in the answer to it. */
function differencesIn(
  { operations, parts, scopes }: Checker,
  { message, sent, ...answer }: Exchange,
  path: string,
): string[] {
  const { method = 'GET', headers } = message;
  const { searchParams } = new URL(message.url ?? '/', 'http://localhost');
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  const isJson = (headers['content-type'] ?? '').includes('json');
  const body = sent.length === 0 ? undefined : isJson ? JSON.parse(sent.toString()) : sent.toString();
  const element = { method: method.toLowerCase(), url: { path, query }, headers, body };
  const found = result.parse(parts.route({ resources: operations, input: element }));
  if (found._tag === 'Left') return [`request: ${String(found.left)}`];
  const resource = found.right;
  const { path: template, request, security } = operation.parse(resource);
  const needed = security
    .flat()
    .flatMap(({ flows }) => (flows === undefined ? [] : [Object.keys(flows.authorizationCode.scopes)]));
  const isInScope = needed.length === 0 || needed.some((some) => some.every((scope) => scopes.has(scope)));
  const known = (request?.query ?? []).map(({ name }) => name);
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  const said = (side: string, value: unknown) => {
    const checked = result.parse(value);
    return checked._tag === 'Left' ? [`${side} ${template}: ${JSON.stringify(checked.left)}`] : [];
  };
  const isGood = answer.status < 300;
  // HubSpot's interface says that what is empty is a text, and its documents show null.
  const isNull = (value: unknown) => value === null;
  const given =
    answer.body === '' ? undefined : JSON.parse(answer.body, (_, value) => (isNull(value) ? undefined : value));
  const output = { statusCode: answer.status, headers: answer.headers, body: given };
  const all = [
    ...(isInScope ? [] : [`request ${template}: needs one of the scopes ${JSON.stringify(needed)}`]),
    ...unknown.map((name) => `request ${template}: no parameter \`${name}\``),
    ...said('request', parts.input({ resource, element })),
    ...(isGood ? said('answer', parts.output({ resource, element: output })) : []),
  ];
  return all.filter((line) => !contradictions.some((known) => known.test(line)));
}

/**
 * Puts Prism between a vendor's emulator and who calls it, where a vendor's published interfaces are given: each request,
 * and each answer that is no error, is compared with them. Returns the address to call instead;
 * `close` fails if anything differed.
 */
export async function publishedInterface(
  vendor: string,
  url: string,
  { scopes, pathOf }: Readonly<{ scopes: ReadonlySet<string>; pathOf: (path: string) => string | null }>,
): Promise<Readonly<{ url: string; close(): Promise<void> }>> {
  if (folder === undefined || prism === undefined) return { url, close: async () => undefined };
  const checker = checkers.get(vendor) ?? loaded(vendor, prism, folder);
  checkers.set(vendor, checker);
  const { operations, parts } = await checker;
  const differences: string[] = [];
  const pass = async (message: IncomingMessage, response: ServerResponse) => {
    const sent = await buffer(message);
    const { method = 'GET', url: target = '/' } = message;
    const names = Object.entries(message.headers).filter(
      ([name]) => !/^(?:host|connection|content-length)$/.test(name),
    );
    const headers = names.map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await fetch(`${url}${target}`, {
      method,
      headers,
      redirect: 'manual',
      ...(sent.length === 0 ? {} : { body: sent }),
    });
    const body = await answer.text();
    const shown = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(?:content-length|connection)$/.test(name)),
    );
    response.writeHead(answer.status, shown).end(body);
    const path = pathOf(new URL(target, url).pathname);
    if (path === null) return;
    const exchange = { message, sent, status: answer.status, headers: shown, body };
    const found = differencesIn({ operations, parts, scopes }, exchange, path);
    differences.push(...found.map((line) => `${method} ${path} ${line}`));
    if (report !== undefined)
      appendFileSync(report, `${vendor} ${found.length} ${method} ${path} ${found.join(' ')}\n`);
  };
  const server = await serveOnLoopback((message, response) => {
    pass(message, response).catch(() => message.socket.destroy());
  });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      if (differences.length > 0) throw new Error(`Not as ${vendor} publishes it:\n${differences.join('\n')}`);
    },
  };
}
