import { z } from 'zod';
import type { PinnedTools } from '#application/ports/pinned-tools.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { effects } from '#domain/operations/effect.ts';
import type { PinnedList } from '#domain/remote-servers/pinned-list.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

const schema = z.record(z.string(), z.unknown());
const hint = z.boolean().optional();
const tool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: schema,
  outputSchema: schema.nullable(),
  hints: z.object({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint }),
});
const stored = z.object({
  listedAt: z.number(),
  tools: z.array(
    z.object({
      name: z.string(),
      accepted: tool.nullable(),
      acceptedAt: z.number().nullable(),
      acceptedBy: z.number().nullable(),
      waiting: tool.nullable(),
      effect: z.enum(effects).nullable(),
      isOff: z.boolean(),
      isSearched: z.boolean(),
    }),
  ),
});

/** Stores the tools of remote MCP servers among the server's facts, one text for each server. */
export class FactPinnedTools implements PinnedTools {
  readonly #facts: Pick<ServerFacts, 'find' | 'replace'>;

  constructor(facts: Pick<ServerFacts, 'find' | 'replace'>) {
    this.#facts = facts;
  }

  async find(service: ServiceKey): Promise<PinnedList | null> {
    const text = await this.#facts.find(nameOf(service));
    return text === null ? null : stored.parse(JSON.parse(text));
  }

  async replace(service: ServiceKey, list: PinnedList): Promise<void> {
    await this.#facts.replace(nameOf(service), JSON.stringify(list));
  }
}

const nameOf = (service: ServiceKey): string => `remote_tools/${service}`;
