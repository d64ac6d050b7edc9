import { LRUCache } from 'lru-cache';
import type { MethodResults } from '#adapters/mcp/protocol/messages.ts';
import { PreparedResult } from '#adapters/mcp/protocol/method.ts';
import { modernMembers } from '#adapters/mcp/protocol/modern-members.ts';
import { chosenTool, includesService, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { withAsked } from '#adapters/mcp/tools/asked-arguments.ts';
import { withBudget } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import type { EffectHints } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isPermitted, isWhollyOff, mayChange, switchesOf } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

type ToolList = MethodResults['tools/list'];
type ToolListing = PreparedResult<ToolList>;
type ListedTool = ToolList['tools'][number];

/** The maximum number of cached listings. */
const maxListings = 256;

/**
 * Holds all tools. Listings are cached for each set of services that a user and a client may see, for reading or
 * changing, and each form: the 256 that were used last.
 */
export class ToolRegistry {
  /** The tools by name, whatever the user's rights. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The services that have tools, in order of their first tool. */
  readonly services: readonly ServiceKey[];
  readonly #version: string;
  /** Whether every list has output schemas. */
  readonly hasOutputs: boolean;
  /** Whether there are tools over all services, which a client that chose some is not listed. */
  readonly #hasShared: boolean;
  readonly #listings = new LRUCache<string, ToolListing>({ max: maxListings });
  readonly #entries = new Map<string, ListedTool>();

  /**
   * Orders the server's own tools first, then each service's, otherwise as given. Throws when two tools have the same
   * name. With `hasOutputs`, lists include output schemas for clients that did not ask for them. `services` are those
   * of its tools by default.
   */
  constructor(
    tools: readonly Tool[],
    version: string,
    { hasOutputs = false, services }: Readonly<{ hasOutputs?: boolean; services?: readonly ServiceKey[] }> = {},
  ) {
    this.services = services ?? [...new Set(tools.flatMap(({ service }) => service ?? []))];
    const ordered = [null, ...this.services].flatMap((service) => tools.filter((tool) => tool.service === service));
    this.tools = new Map(ordered.map((tool) => [tool.name, tool]));
    this.#version = version;
    this.hasOutputs = hasOutputs;
    this.#hasShared = tools.some(({ needsService }) => needsService !== undefined);
    if (this.tools.size < ordered.length) throw new Error(`Two tools are called ${repeated(ordered)}`);
  }

  /**
   * The tools of services that the user may use, is connected to, and the client has chosen, in the registry's order.
   */
  toolsFor(user: User, connected: ReadonlySet<ServiceKey>, choice: ToolChoice): readonly Tool[] {
    const isOpen = (service: ServiceKey) => isPermitted(user, service) && connected.has(service);
    const chosen = this.services.filter((service) => isOpen(service) && includesService(choice, service));
    // A client that chose services is listed their tools, and none over all services.
    const has = (needed: Tool['needsService']) =>
      needed === undefined ||
      (choice.services === null && (needed === true ? chosen.length > 0 : chosen.includes(needed)));
    return [...this.tools.values()]
      .flatMap((tool) => chosenTool(tool, choice, mayChange(user, tool.service)) ?? [])
      .filter(
        (tool) =>
          (tool.operation === undefined || !isWhollyOff(user, tool.operation)) &&
          (tool.annotations.readOnlyHint || mayChange(user, tool.service)) &&
          (tool.service === null ? has(tool.needsService) : isOpen(tool.service)),
      );
  }

  /** The result of `tools/list`; the guest sees no tool of any service. */
  listFor(user: User, connected: ReadonlySet<ServiceKey>, choice: ToolChoice): ToolListing {
    const isOpen = (service: ServiceKey) =>
      isPermitted(user, service) && connected.has(service) && includesService(choice, service);
    const reads = (service: ServiceKey | null) => choice.isReadonly || !mayChange(user, service);
    const own = this.services.map((service) => (isOpen(service) ? (reads(service) ? 'r' : 'w') : '-')).join('');
    const shared = this.#hasShared && choice.services !== null;
    const key = `${own}${reads(null)}${choice.isFull}${shared}`;
    const hasSwitches = switchesOf(user).length > 0;
    const known = this.#listings.get(key);
    if (known !== undefined && !hasSwitches) return known;
    const hasOutput = choice.isFull || this.hasOutputs;
    const tools = this.toolsFor(user, connected, choice).map((tool) => this.entryOf(tool, choice.isFull, hasOutput));
    const listing = new PreparedResult<ToolList>({ tools }, modernMembers(this.#version, true));
    // A list with a user's own switches is not shared, so it is not cached.
    if (!hasSwitches) this.#listings.set(key, listing);
    return listing;
  }

  /**
   * The entry of a tool in `tools/list`, made once for each form: with its whole or its brief input schema, with or
   * without an output schema.
   */
  entryOf(tool: Tool, isFull: boolean, hasOutput: boolean): ListedTool {
    const key = `${tool.name} ${isFull} ${hasOutput} ${tool.annotations.readOnlyHint}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const { name, title, description, outputSchema, annotations } = tool;
    const entry = {
      name,
      title,
      description,
      inputSchema: withAsked(
        tool,
        withBudget(tool, isFull ? tool.inputSchema : (tool.listedSchema ?? tool.inputSchema), isFull),
        isFull,
      ),
      ...(hasOutput && outputSchema !== undefined ? { outputSchema } : {}),
      annotations: isFull ? annotations : briefHints(annotations),
    };
    this.#entries.set(key, entry);
    return entry;
  }
}

/** Omits hints that have their default value or no meaning (MCP specification, ToolAnnotations). */
function briefHints({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: EffectHints): Partial<EffectHints> {
  return {
    readOnlyHint,
    ...(readOnlyHint ? {} : { destructiveHint }),
    ...(!readOnlyHint && idempotentHint ? { idempotentHint } : {}),
    ...(openWorldHint ? {} : { openWorldHint }),
  };
}

function repeated(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name);
  return names.find((name, index) => names.indexOf(name) < index) ?? '';
}
