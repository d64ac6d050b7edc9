import type { Tool } from '#adapters/mcp/tool.ts';
import { serviceKeys } from '#domain/services/service-key.ts';
import { isPermitted, type User } from '#domain/users/user.ts';

/** The tools that one set of permission keys shows: as the result of `tools/list`, and that result as JSON. */
export type ToolListing = Readonly<{ result: Readonly<{ tools: readonly object[] }>; json: string }>;

/** All tools. Listings are made once for each set of permission keys: at most 32 for five services. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #listings = new Map<number, ToolListing>();

  /** The order of services comes first, the given order next. Throws when two tools share a name. */
  constructor(tools: readonly Tool[]) {
    const ordered = serviceKeys.flatMap((service) => tools.filter((tool) => tool.service === service));
    this.#tools = new Map(ordered.map((tool) => [tool.name, tool]));
    if (this.#tools.size < ordered.length) throw new Error(`Two tools are called ${repeated(ordered)}`);
  }

  /** The tool of that name, whoever may use it; null when there is none. */
  find(name: string): Tool | null {
    return this.#tools.get(name) ?? null;
  }

  /** What the user may see; the guest sees an empty list. */
  listFor(user: User): ToolListing {
    const key = permissionSet(user);
    const known = this.#listings.get(key);
    if (known !== undefined) return known;
    const tools = [...this.#tools.values()].filter(({ service }) => isPermitted(user, service)).map(described);
    const listing = { result: { tools }, json: JSON.stringify({ tools }) };
    this.#listings.set(key, listing);
    return listing;
  }
}

/** A bit for each service: the same number for the same permissions, in whatever order they stand. */
function permissionSet(user: User): number {
  let bits = 0;
  for (const [place, service] of serviceKeys.entries()) if (isPermitted(user, service)) bits |= 1 << place;
  return bits;
}

function described({ name, title, description, inputSchema, annotations }: Tool): object {
  return { name, title, description, inputSchema, annotations };
}

function repeated(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name);
  return names.find((name, index) => names.indexOf(name) < index) ?? '';
}
