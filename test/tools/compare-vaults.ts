import { parseArgs } from 'node:util';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type VaultRequestLine, vaultRequests } from '#test/tools/vault-requests.ts';

/** A vault to ask; `trust` as in `HttpRequest`. */
export type ComparedVault = Readonly<{
  url: string;
  key: string;
  trust?: boolean | string;
}>;

/** What counts of an answer. The message of an error is a server's own, its code is not; of a body only its shape. */
export type Answer = Readonly<{
  status: number | string;
  errorCode: number | null;
  type: string;
  shape: string;
  text: string;
}>;

/** A request that two vaults answered differently, and in what. */
export type Difference = Readonly<{ request: string; what: keyof Answer; first: unknown; second: unknown }>;

const own: readonly string[] = ['errorCode', 'message'];

/** The type of a value as text: objects by their members, lists by their first, numbers, texts and so on by their kind. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${shapeOf(member)}`).join(',')}}`;
}

/** The vault's answer to each request, in order: one after the other, for later ones rest on earlier ones. */
export async function answersOf(
  vault: ComparedVault,
  requests: readonly VaultRequestLine[] = vaultRequests,
): Promise<readonly Answer[]> {
  const http = new HttpClient();
  const answers: Answer[] = [];
  try {
    for (const request of requests) answers.push(await ask(http, vault, request));
  } finally {
    http.close();
  }
  return answers;
}

/** All differences between two vaults' answers. Text is compared where it is a note. */
export function differencesOf(
  first: readonly Answer[],
  second: readonly Answer[],
  requests: readonly VaultRequestLine[] = vaultRequests,
): readonly Difference[] {
  const aspects = ['status', 'errorCode', 'type', 'shape', 'text'] as const;
  return requests.flatMap(({ method, path, headers = {} }, index) =>
    aspects.flatMap((what): Difference[] => {
      const [one, other] = [first[index]?.[what], second[index]?.[what]];
      const request = `${index + 1}. ${method} ${path} ${headers['Accept'] ?? headers['Target-Type'] ?? ''}`.trim();
      return one === other ? [] : [{ request, what, first: one, second: other }];
    }),
  );
}

async function ask(
  http: HttpClient,
  { url, key, trust = true }: ComparedVault,
  { method, path, headers, body }: VaultRequestLine,
): Promise<Answer> {
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const result = await http.send({
    method: known.find((each) => each === method) ?? 'GET',
    url: url.replace(/\/+$/, '') + path,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body === undefined ? {} : { body }),
    timeoutMs: 10_000,
    maxBytes: 16 * 1024 * 1024,
    trust,
  });
  if (result.kind === 'error') return { status: result.reason, errorCode: null, type: '', shape: '', text: '' };
  const text = Buffer.from(result.body).toString('utf8');
  const type = (result.headers['content-type'] ?? '').replace(/;.*$/, '');
  const parsed = type.endsWith('json') ? parse(text) : undefined;
  const isError = typeof parsed === 'object' && parsed !== null && 'errorCode' in parsed;
  const errorCode = isError ? Number(parsed.errorCode) : null;
  // A vault may return more in a member of its own; what an error says is its own as well.
  const shape = parsed === undefined ? '' : isError ? `{${own.join(',')}}` : shapeOf(parsed);
  return { status: result.status, errorCode, type, shape, text: parsed === undefined ? text : '' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      first: { type: 'string' },
      'first-key': { type: 'string' },
      second: { type: 'string' },
      'second-key': { type: 'string' },
      insecure: { type: 'boolean', default: false },
    },
  });
  const { first, second, insecure } = values;
  if (first === undefined || second === undefined) {
    process.stderr.write(
      'Use: compare-vaults.ts --first URL --first-key KEY --second URL --second-key KEY [--insecure]\n',
    );
    process.exitCode = 2;
    return;
  }
  const one = await answersOf({ url: first, key: values['first-key'] ?? '', trust: !insecure });
  const other = await answersOf({ url: second, key: values['second-key'] ?? '', trust: !insecure });
  const differences = differencesOf(one, other);
  for (const { request, what, first: a, second: b } of differences) {
    process.stdout.write(`${request}\n  ${what}: ${JSON.stringify(a)} / ${JSON.stringify(b)}\n`);
  }
  process.stdout.write(`${vaultRequests.length} requests, ${differences.length} differences\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
