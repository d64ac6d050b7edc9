import { z } from 'zod';
import { type AskableClient, silentClient } from '#adapters/mcp/protocol/client-requests.ts';
import { RpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { OperationCall, QuestionAnswer } from '#application/ports/service-gateway.ts';

const answerSchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
});

/**
 * Passes the questions of a service to the user of a client that has forms and answers while the call goes on; absent for
 * others, since a call cannot be begun again at a service that asks in its middle. Each question says whose it is.
 */
export function askingFor(name: string, client: AskableClient = silentClient): Pick<OperationCall, 'onQuestion'> {
  if (client.answersMeanwhile !== true || !client.elicits('form')) return {};
  return {
    onQuestion: async ({ message, schema: requestedSchema }): Promise<QuestionAnswer> => {
      const params = { message: `${name} asks, which is no approval of this server: ${message}`, requestedSchema };
      try {
        const { answer } = await client.ask({ answer: { method: 'elicitation/create', params } });
        const { action, content } = answerSchema.parse(answer);
        return content === undefined ? { action } : { action, content };
      } catch (error) {
        if (error instanceof RpcError || error instanceof z.ZodError) return { action: 'cancel' };
        throw error;
      }
    },
  };
}
