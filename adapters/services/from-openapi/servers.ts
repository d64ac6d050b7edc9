import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { jsonOr, listOr, textOrNull } from '#adapters/services/from-openapi/json.ts';
import { withoutEnd } from '#domain/text/without-end.ts';

/**
 * The base URL of the API: the given one, else the document's first absolute one with its variables at their defaults.
 * Null when there is none; the setting `{KEY}_URL` must then supply it, and pages and calls say so until it does.
 */
export function serverOf(document: OpenApiDocument, given: string | undefined): string | null {
  if (given === undefined) return addressesIn(document, document.root['servers'], ['servers'])[0] ?? null;
  if (isAddress(given)) return plain(given);
  throw new Error(`fromOpenApi: \`server\` is "${given}"; it must be an address such as https://api.example.com/v1.`);
}

/** Rejects a document of another server than the first one's: this service's credentials must not be sent there. */
export function checkSameServer(document: OpenApiDocument, server: string | null): void {
  const addresses = addressesIn(document, document.root['servers'], ['servers']);
  const [first] = addresses;
  if (first === undefined || (server !== null && addresses.includes(server))) return;
  throw document.fault(
    ['servers'],
    `has ${first}, and not ${server ?? 'the address of the others'}; make it a service of its own, or give \`server\``,
  );
}

/** Rejects an operation on another server: this service's credentials must not be sent there. */
export function checkServers(document: OpenApiDocument, found: FoundOperation, server: string | null): void {
  const own = found.operation['servers'] ?? found.item['servers'];
  const addresses = addressesIn(document, own, [...found.place, 'servers']);
  const [first] = addresses;
  if (first === undefined || (server !== null && addresses.includes(server))) return;
  throw document.fault(
    found.place,
    `is at ${first}, and not at ${server ?? 'the address of the others'}; leave it out, or make it a service of its own with \`server\``,
  );
}

function addressesIn(document: OpenApiDocument, servers: unknown, place: readonly string[]): readonly string[] {
  return listOr(servers).flatMap((one, index) => {
    const server = document.resolved(one, [...place, String(index)]);
    const variables = jsonOr(server['variables']);
    const url = (textOrNull(server['url']) ?? '').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = Object.hasOwn(variables, name) ? jsonOr(variables[name]) : {};
      return textOrNull(variable['default']) ?? whole;
    });
    return isAddress(url) ? [plain(url)] : [];
  });
}

const isAddress = (url: string): boolean => /^https?:\/\//.test(url) && URL.canParse(url) && !/[?#{]/.test(url);
const plain = (url: string): string => withoutEnd(url, '/');
