import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** An error in a config, in one sentence. */
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

const schema = z.strictObject({
  baseUrl: httpUrl,
  login: login.optional(),
  secrets: secrets.default({}),
  hooks: z.strictObject({ start: words.optional(), clock: words.optional() }).default({}),
  emulators: z.strictObject({ listen }).optional(),
  extensions: z
    .array(z.enum(['portolan'], { error: 'must be "portolan"' }), { error: 'must be a list such as ["portolan"]' })
    .default([]),
  expectedFailures: z
    .array(z.string(), { error: 'must be a list of clauses such as ["CODE-006", "SALES-002/deals.merge"]' })
    .default([]),
});

/** The description of a target. */
export type Config = Readonly<z.output<typeof schema>>;

/** Reads a config file; throws `ConfigFault` with the place and what would be valid. */
export function readConfig(path: string): Config {
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
  return configOf(json, path);
}

/** Parses a config; `source` is its name in messages. */
export function configOf(json: unknown, source: string): Config {
  const read = schema.safeParse(json);
  if (!read.success) throw new ConfigFault(`${source}: ${sentenceOf(read.error.issues[0], json)}`);
  const { data } = read;
  if (data.baseUrl.endsWith(':0') && data.hooks.start === undefined) {
    throw new ConfigFault(
      `${source}: baseUrl has port 0, which asks for a free one; give hooks.start, or the port of a server that runs.`,
    );
  }
  return data;
}

function sentenceOf(issue: z.core.$ZodIssue | undefined, json: unknown): string {
  if (issue === undefined) return 'it does not fit.';
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = memberNames(place).join(', ');
    return `${[place, issue.keys[0]].filter((part) => part !== '').join('.')} is not known; ${place === '' ? 'it' : place} may have ${known}.`;
  }
  const given = issue.path.reduce<unknown>(
    (inside, name) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, name) : undefined),
    json,
  );
  const said = given === undefined ? 'is missing and ' : '';
  const came = given === undefined || /password|secret/i.test(place) ? '' : `, not ${JSON.stringify(given)}`;
  return `${place === '' ? 'it' : place} ${said}${issue.message.startsWith('must') ? issue.message : 'must be an object'}${came}.`;
}

function memberNames(place: string): readonly string[] {
  const shapes: ReadonlyMap<string, readonly string[]> = new Map([
    ['', Object.keys(schema.shape)],
    ['login', Object.keys(login.shape)],
    ['secrets', Object.keys(secrets.shape)],
    ['hooks', ['start', 'clock']],
    ['emulators', ['listen']],
  ]);
  return shapes.get(place) ?? [];
}
