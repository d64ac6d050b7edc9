import { isDeepStrictEqual } from 'node:util';
import { defineService } from '#adapters/services/definitions/define-service.ts';
import type { Budget, GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import type { Service } from '#adapters/services/definitions/service.ts';
import { authOf, credentialsFor, type OpenApiAuth } from '#adapters/services/from-openapi/auth.ts';
import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import { DocumentFinder, documentsOf } from '#adapters/services/from-openapi/documents.ts';
import { readError } from '#adapters/services/from-openapi/errors.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { keyOf, maxNameLength, snakeCase } from '#adapters/services/from-openapi/names.ts';
import { openApiOAuth } from '#adapters/services/from-openapi/oauth.ts';
import { type OpenApiRow, operationRow } from '#adapters/services/from-openapi/operation-row.ts';
import type { OpenApiOptions, PickedOperation } from '#adapters/services/from-openapi/options.ts';
import { readPage } from '#adapters/services/from-openapi/read-pages.ts';
import { checkSameServer, checkServers, serverOf } from '#adapters/services/from-openapi/servers.ts';
import type { OperationTable, RequestRow } from '#adapters/services/requests/operation-table.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { withoutEnd } from '#domain/text/without-end.ts';

/**
 * Creates a service from operations of an OpenAPI 3.0 or 3.1 document, or of a list of documents of one provider: each
 * becomes a tool, a REST route and an entry of `/openapi.json`. Throws for anything unsupported, with the place in the document and what would be valid.
 */
export function fromOpenApi(given: unknown, options: OpenApiOptions): Service {
  const documents = documentsOf(given);
  const [document] = documents;
  if (documents.length > 1 && options.key === undefined)
    throw new Error("fromOpenApi: several documents make one service; give it a `key`, such as key: 'inventory'.");
  const key = options.key ?? keyOf(document.title);
  if (key === null)
    throw new Error(`fromOpenApi: the title "${document.title}" makes no key; give one, such as key: 'inventory'.`);
  const title = options.title ?? document.title;
  const noun = options.noun ?? title.toLowerCase();
  const picked = pickedOperations(documents, key, options);
  const auth = chosenAuth(documents, picked, options);
  const server = serverOf(document, options.server);
  if (options.server === undefined) for (const other of documents) checkSameServer(other, server);
  for (const { document, found } of picked) checkServers(document, found, server);
  const rows = new Map(picked.map(({ name, row }) => [name, row] as const));
  const pages = new Map([...rows.values()].map(({ row, pages }) => [row, pages]));
  const { timeoutMs, maxBytes, concurrency } = options.limits ?? {};
  return defineService({
    key,
    title,
    noun,
    operations: Object.fromEntries([...rows].map(([name, { row }]) => [name, row])) satisfies OperationTable,
    dialect: ({ dialect, url }) => ({
      name: dialect,
      baseUrl: () => (url === null ? server : withoutEnd(url, '/')),
      trust: () => true,
      credentials: ({ accessToken }) => credentialsFor(auth, accessToken),
      headers: options.headers ?? {},
      mediaTypes: {},
      readError: (_, body) => readError(noun, body),
      readSuccess: (answer) => readAnswer(pages, answer),
      budgets: () => budgetsOf(options),
      concurrency: () => concurrency ?? null,
    }),
    ...(auth.kind === 'oauth2' ? { oauth: (settings) => openApiOAuth(auth, settings) } : {}),
    connection: { key: keyMethodOf(auth), probe: probeOf(picked, options) },
    versionPrefixes: versionPrefixesOf(picked.map(({ found }) => found.path)),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    instructions: { tools: `${key}_*`, ...(options.purpose === undefined ? {} : { purpose: options.purpose }) },
  });
}

type Picked = Readonly<{
  name: string;
  pick: string;
  document: OpenApiDocument;
  found: FoundOperation;
  row: OpenApiRow;
}>;

function pickedOperations(
  documents: readonly OpenApiDocument[],
  key: string,
  options: OpenApiOptions,
): readonly Picked[] {
  if (options.operations.length === 0)
    throw new Error('fromOpenApi: `operations` is empty; pick at least one operation.');
  const finders = new DocumentFinder(documents);
  const picks = options.operations.map(asObject);
  const isProbePicked = picks.some(({ pick }) => pick === options.probe);
  const others: typeof picks =
    options.probe === undefined || isProbePicked ? [] : [{ pick: options.probe, tool: null }];
  const tools = new Map<string, string>();
  return [...picks, ...others].map((pick, index) => {
    const { document, found, names: given } = finders.get(pick);
    const name = pick.name ?? given.of(found);
    const tool = pick.tool === undefined ? `${key}_${snakeCase(name)}` : pick.tool;
    checkName(document, found, { name, tool, taken: tools });
    tools.set(name, pick.pick);
    const names = { tool, isRouted: index < picks.length };
    return { name, pick: pick.pick, document, found, row: operationRow(document, found, { pick, names }) };
  });
}

const asObject = (pick: PickedOperation): Exclude<PickedOperation, string> =>
  typeof pick === 'string' ? { pick } : pick;

function checkName(
  document: OpenApiDocument,
  { place }: FoundOperation,
  { name, tool, taken }: Readonly<{ name: string; tool: string | null; taken: ReadonlyMap<string, string> }>,
): void {
  const other = taken.get(name);
  if (other !== undefined)
    throw document.fault(place, `has the name "${name}", as "${other}" has; give one of them a \`name\``);
  if (tool === null || (tool.length <= maxNameLength && /^[\w-]+$/.test(tool))) return;
  const right = `must be at most ${maxNameLength} letters, digits, _ and -`;
  throw document.fault(place, `has the tool "${tool}", which ${right}; give it a shorter \`name\``);
}

/** The way in that the first document with a supported one describes, with the scopes of all. */
function chosenAuth(
  documents: readonly OpenApiDocument[],
  picked: readonly Picked[],
  { auth }: OpenApiOptions,
): OpenApiAuth {
  if (typeof auth === 'object') return auth;
  const used = documents.filter((document) => picked.some((one) => one.document === document));
  const [first, ...others] = used.map((document) =>
    authOf(
      document,
      picked.filter((one) => one.document === document).map(({ found }) => found),
      auth ?? null,
    ),
  );
  if (first === undefined) throw new Error('fromOpenApi: `operations` is empty; pick at least one operation.');
  const other = others.findIndex((one) => !isSameAuth(one, first));
  const odd = used[other + 1];
  if (other >= 0 && odd !== undefined)
    throw odd.fault(
      ['components', 'securitySchemes'],
      `has another way to authenticate than "${used[0]?.title}"; name a scheme that both have as \`auth\`, or give one`,
    );
  if (first.kind !== 'oauth2') return first;
  const scopes = [first, ...others].flatMap((one) => (one.kind === 'oauth2' ? (one.scopes ?? []) : []));
  return { ...first, scopes: [...new Set(scopes)] };
}

function isSameAuth(one: OpenApiAuth, other: OpenApiAuth): boolean {
  return isDeepStrictEqual({ ...one, scopes: [] }, { ...other, scopes: [] });
}

function keyMethodOf(auth: OpenApiAuth): 'api_key' | 'personal_token' | null {
  if (auth.kind === 'apiKey' || auth.kind === 'basic') return 'api_key';
  return auth.kind === 'oauth2' && auth.onlyOAuth === true ? null : 'personal_token';
}

/** The operation with which credentials are tested. */
function probeOf(picked: readonly Picked[], { probe }: OpenApiOptions): string {
  const needsNothing = ({ row: { row } }: Picked) => row.input.safeParse({}).success;
  const named = picked.find(({ pick }) => pick === probe);
  if (named !== undefined) {
    if (needsNothing(named)) return named.name;
    throw named.document.fault(
      named.found.place,
      'is the probe and has required inputs; a probe is called without any',
    );
  }
  const first = picked.find((one) => one.found.method === 'GET' && needsNothing(one));
  if (first !== undefined) return first.name;
  const [any] = picked;
  if (any === undefined) throw new Error('fromOpenApi: `operations` is empty; pick at least one operation.');
  throw any.document.fault(
    ['paths'],
    'gives no picked operation that reads and needs no input, by which credentials could be tried; name one as `probe`',
  );
}

/** The version prefix, like `/v1` or `/api/v2`, that all paths share. */
function versionPrefixesOf(paths: readonly string[]): readonly string[] {
  const prefix = /^(?:\/api)?\/v\d+(?:\.\d+)*(?=\/)/.exec(paths[0] ?? '')?.[0];
  return prefix !== undefined && paths.every((path) => path.startsWith(`${prefix}/`)) ? [prefix] : [];
}

function readAnswer(pages: ReadonlyMap<RequestRow, OpenApiRow['pages']>, answer: GoodAnswer): Outcome {
  const paged = pages.get(answer.row) ?? null;
  return paged === null ? succeeded(answer.body) : readPage(paged.paging, paged.input, answer);
}

function budgetsOf({ limits }: OpenApiOptions): readonly Budget[] {
  const requests = limits?.requests;
  return requests === undefined
    ? []
    : [{ name: 'requests', points: requests.count, windowMs: requests.windowMs, cost: 1 }];
}
