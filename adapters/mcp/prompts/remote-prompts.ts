import { z } from 'zod';
import { type OfferedPrompt, offerOperations, type RemoteOffer } from '#adapters/contracts/remote-offers.ts';
import type { Prompt, PromptSource } from '#adapters/mcp/prompts/prompt.ts';
import { RpcError, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { PromptMessage } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import { textWithin } from '#adapters/mcp/results/truncate.ts';
import { maxResultTokens } from '#adapters/mcp/tools/result-budget.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { Connections } from '#application/ports/connections.ts';
import { visibleText } from '#domain/shared/visible-text.ts';
import { isSwitchedOff } from '#domain/users/rights.ts';

const given = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.looseObject({ type: z.string() }) })),
});

/** What offers prompts of remote servers: what these offer now, what runs their operations, and who is connected. */
type RemotePromptsDependencies = Readonly<{
  offers: () => readonly RemoteOffer[];
  run: RunOperationFor;
  connections: Pick<Connections, 'overview'>;
}>;

/**
 * Offers the prompts of remote MCP servers, under names that begin with their service, to those who may use the service
 * and are connected to it.
 */
export function remotePrompts({ offers, run, connections }: RemotePromptsDependencies): PromptSource {
  return async ({ user }) => {
    const own = offers().filter(
      ({ service, prompts }) =>
        prompts.length > 0 && !isSwitchedOff(user, { service, name: offerOperations.getPrompt, effect: 'read' }),
    );
    if (own.length === 0) return [];
    const { services } = await connections.overview(user.id);
    return own
      .filter(({ service }) => services.has(service))
      .flatMap((offer) => offer.prompts.map((prompt) => promptOf(offer, prompt, run)));
  };
}

function promptOf({ service, title: called }: RemoteOffer, prompt: OfferedPrompt, run: RunOperationFor): Prompt {
  const { name, asked, title, description, arguments: args } = prompt;
  return {
    name,
    title,
    description,
    arguments: args,
    needs: [service],
    messages: async (values, { user, signal }: MethodContext) => {
      const input = { name: asked, arguments: values };
      const outcome = await run(user, { service, name: offerOperations.getPrompt, input, signal });
      if (!outcome.ok) {
        const { reason, message } = outcome;
        throw new RpcError(rpcCodes.refused, message, { reason });
      }
      return [
        { role: 'user', content: { type: 'text', text: `A prompt of ${called}, in its own words:` } },
        ...messagesIn(outcome.data),
      ];
    },
  };
}

/** The texts of the messages within the limit of every answer, with unseen characters as escapes; others are named. */
function messagesIn(data: unknown): readonly PromptMessage[] {
  let tokens = maxResultTokens;
  return (given.safeParse(data).data?.messages ?? []).map(({ role, content }): PromptMessage => {
    const { text, left } = textWithin(visibleText(textOf(content)), tokens);
    tokens = left;
    return { role, content: { type: 'text', text } };
  });
}

function textOf(content: Readonly<Record<string, unknown>>): string {
  const { type, text, resource } = content;
  const inner = type === 'resource' && typeof resource === 'object' && resource !== null ? resource : {};
  const own = type === 'text' ? text : 'text' in inner ? inner.text : null;
  return typeof own === 'string' ? own : `[${String(type).slice(0, 40)}: not shown]`;
}
