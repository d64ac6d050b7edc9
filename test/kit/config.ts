import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { member } from '#test/kit/checks.ts';
import { type Level, levels, type Modes, modeValues } from '#test/kit/clause.ts';

/** The errors in a config, one sentence a line. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
}

const httpUrl = z
  .string({ error: 'must be an address such as "http://127.0.0.1:3000"' })
  .regex(/^https?:\/\/[^/?#\s]+\/?$/, { error: 'must be an address such as "http://127.0.0.1:3000", without a path' })
  .transform((text) => text.replace(/\/$/, ''));

const words = z.string({ error: 'must be a text' }).min(1, { error: 'must be a text that is not empty' });

const login = z.strictObject({ email: words, password: words });

const secrets = z.strictObject({
  sales_crm: words.optional(),
  signing: words.optional(),
  suite_crm: words.optional(),
  tracker: words.optional(),
});

const listen = z
  .string({ error: 'must be an address and a port such as "127.0.0.1:0"' })
  .regex(/^[^:\s]+:\d{1,5}$/, { error: 'must be an address and a port such as "127.0.0.1:0" or "127.0.0.1:4700"' });

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: `must be ${names.map((name) => `"${name}"`).join(' or ')}` });

const modes = z.strictObject({
  metadata: oneOf(modeValues.metadata).default('off'),
  clients: oneOf(modeValues.clients).default('memory'),
  strict: oneOf(modeValues.strict).default('off'),
  webhooks: oneOf(modeValues.webhooks).default('off'),
});
const usualModes: Modes = { metadata: 'off', clients: 'memory', strict: 'off', webhooks: 'off' };

const routeError = 'must be a method and a path such as "GET /api/sales_crm/deals/{id}"';
const route = z.string({ error: routeError }).regex(/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/, { error: routeError });
const routes = z.record(route, route, { error: 'must be an object of routes' });

const schema = z.strictObject({
  baseUrl: httpUrl,
  publicUrl: httpUrl.optional(),
  login: login.optional(),
  secrets: secrets.default({}),
  hooks: z.strictObject({ start: words.optional(), clock: words.optional() }).default({}),
  emulators: z.strictObject({ listen }).optional(),
  extensions: z
    .array(z.enum(['portolan'], { error: 'must be "portolan"' }), { error: 'must be a list such as ["portolan"]' })
    .default([]),
  level: oneOf(levels).optional(),
  modes: modes.default(usualModes),
  routes: routes.default({}),
  expectedFailures: z
    .array(z.string(), { error: 'must be a list of clauses such as ["CODE-006", "SALES-002/deals.merge"]' })
    .default([]),
});

/** The description of a target. */
export type Config = Readonly<z.output<typeof schema>>;

/** Reads a config file; throws `ConfigFault` with the places and what would be valid. `known` are the names that `expectedFailures` may have. */
export function readConfig(path: string, known: ReadonlySet<string>): Config {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ConfigFault(`${path} cannot be read; --config names a JSON file that describes the target.`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ConfigFault(`${path} is no JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return configOf(json, path, known);
}

/** Parses a config; `source` is its name in messages. Throws a `ConfigFault` with all errors. */
export function configOf(json: unknown, source: string, known?: ReadonlySet<string>): Config {
  const read = schema.safeParse(json);
  const faults = [
    ...(read.error?.issues ?? []).flatMap((issue) => sentencesOf(issue, json)),
    ...portFaults(json),
    ...unknownFailures(json, known),
  ];
  if (read.success && faults.length === 0) return read.data;
  throw new ConfigFault(faults.map((sentence) => `${source}: ${sentence}`).join('\n'));
}

function portFaults(json: unknown): readonly string[] {
  const baseUrl = member(json, 'baseUrl');
  const isFree = typeof baseUrl === 'string' && /:0\/?$/.test(baseUrl);
  if (!isFree || member(json, 'hooks', 'start') !== undefined) return [];
  return ['baseUrl has port 0, which asks for a free one; give hooks.start, or the port of a server that runs.'];
}

function unknownFailures(json: unknown, known: ReadonlySet<string> | undefined): readonly string[] {
  const listed = member(json, 'expectedFailures');
  if (known === undefined || !Array.isArray(listed)) return [];
  return listed
    .filter((name): name is string => typeof name === 'string' && !known.has(name))
    .map((name) => `expectedFailures names ${name}, which is no clause; --list prints them.`);
}

/** What a target is held to: what the config says, else `portolan` for one with that extension, and `contract` for any other. */
export function levelOf({ level, extensions }: Pick<Config, 'level' | 'extensions'>): Level {
  return level ?? (extensions.includes('portolan') ? 'portolan' : 'contract');
}

/** Whether a target of one level is held to clauses of another. */
export function isDemanded(of: Level, target: Level): boolean {
  return levels.indexOf(of) <= levels.indexOf(target);
}

function sentencesOf(issue: z.core.$ZodIssue, json: unknown): readonly string[] {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = memberNames(place).join(', ');
    const named = (key: string): string => [place, key].filter((part) => part !== '').join('.');
    return issue.keys.map((key) => `${named(key)} is not known; ${place === '' ? 'it' : place} may have ${known}.`);
  }
  if (issue.code === 'invalid_key') return [`${place} ${routeError}.`];
  const given = issue.path.reduce<unknown>(
    (inside, name) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, name) : undefined),
    json,
  );
  const said = given === undefined ? 'is missing and ' : '';
  const came = given === undefined || /password|secret/i.test(place) ? '' : `, not ${JSON.stringify(given)}`;
  const wanted = issue.message.startsWith('must') ? issue.message : 'must be an object';
  return [`${place === '' ? 'it' : place} ${said}${wanted}${came}.`];
}

function memberNames(place: string): readonly string[] {
  const shapes: ReadonlyMap<string, readonly string[]> = new Map([
    ['', Object.keys(schema.shape)],
    ['login', Object.keys(login.shape)],
    ['secrets', Object.keys(secrets.shape)],
    ['hooks', ['start', 'clock']],
    ['emulators', ['listen']],
    ['modes', Object.keys(modes.shape)],
  ]);
  return shapes.get(place) ?? [];
}
