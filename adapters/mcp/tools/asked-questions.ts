import { z } from 'zod';
import { type AskableClient, type ClientRequest, silentClient } from '#adapters/mcp/protocol/client-requests.ts';
import { RpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { OperationCall, QuestionAnswer } from '#application/ports/service-gateway.ts';

const answerSchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
});

/** Asks the user what a service wants to know. */
export type AskQuestion = NonNullable<OperationCall['onQuestion']>;

/** The request to the client for a question of a service: it says whose question it is. */
export function questionOf(
  name: string,
  { message, schema: requestedSchema }: Parameters<AskQuestion>[0],
): ClientRequest {
  const params = { message: `${name} asks, which is no approval of this server: ${message}`, requestedSchema };
  return { method: 'elicitation/create', params };
}

/** The answer in what a client returns; one that is none is a cancelled question. */
export function answerIn(given: unknown): QuestionAnswer {
  const read = answerSchema.safeParse(given);
  if (!read.success) return { action: 'cancel' };
  const { action, content } = read.data;
  return content === undefined ? { action } : { action, content };
}

/**
 * Passes the questions of a service to the user of a client that has forms and answers while the call goes on; absent for
 * others.
 */
export function askingFor(name: string, client: AskableClient = silentClient): Pick<OperationCall, 'onQuestion'> {
  if (client.answersMeanwhile !== true || !client.elicits('form')) return {};
  return {
    onQuestion: async (question): Promise<QuestionAnswer> => {
      try {
        return answerIn((await client.ask({ answer: questionOf(name, question) }))['answer']);
      } catch (error) {
        if (error instanceof RpcError) return { action: 'cancel' };
        throw error;
      }
    },
  };
}
