import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';

/** What went over the wire for a task: calls, those that were refused, and the tokens and bytes of arguments and answers. */
export type Traffic = Readonly<{
  calls: number;
  wasted: number;
  sent: number;
  received: number;
  bytesReceived: number;
  tools: readonly string[];
}>;

/** A measured way to a server. */
export type Wire = Readonly<{ url: string; traffic(): Traffic; close(): Promise<void> }>;

const callSchema = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.unknown().optional() }),
});
const answerSchema = z.union([
  z.object({ result: z.looseObject({ isError: z.boolean().optional() }) }).transform(({ result }) => ({
    shown: result,
    isRefused: result.isError === true,
  })),
  z.object({ error: z.unknown() }).transform(({ error }) => ({ shown: error, isRefused: true })),
]);

/** Opens a way to the server at `origin` that counts what passes: whoever speaks MCP over it is measured alike. */
export async function openWire(origin: string): Promise<Wire> {
  const traffic = { calls: 0, wasted: 0, sent: 0, received: 0, bytesReceived: 0, tools: [] as string[] };

  function measure(asked: string, answered: string): void {
    const call = callSchema.safeParse(jsonOf(asked));
    if (!call.success) return;
    const { name, arguments: given = {} } = call.data.params;
    const answer = answerSchema.safeParse(jsonOf(answered));
    const shown = JSON.stringify(answer.success ? answer.data.shown : answered);
    traffic.calls += 1;
    traffic.wasted += answer.success && !answer.data.isRefused ? 0 : 1;
    traffic.sent += estimateTokens(JSON.stringify(given));
    traffic.received += estimateTokens(shown);
    traffic.bytesReceived += Buffer.byteLength(shown);
    traffic.tools.push(name);
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await text(incoming);
    const { host: _, ...headers } = incoming.headers;
    const outgoing = request(new URL(incoming.url ?? '/', origin), { method: incoming.method, headers });
    outgoing.once('error', () => response.destroy());
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      // Measured before the end is passed on: who has the whole answer finds it counted.
      answer.once('end', () => measure(asked, Buffer.concat(parts).toString()));
      answer.pipe(response);
    });
    response.once('close', () => outgoing.destroy());
    outgoing.end(asked);
  }

  const server = createServer((incoming, response) => void pass(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    traffic: () => ({ ...traffic, tools: [...traffic.tools] }),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The JSON of a body, or of the last event of a stream; null when there is none. */
function jsonOf(body: string): unknown {
  const event = /^data: (.*)$/m.exec(body.slice(body.lastIndexOf('\ndata: ') + 1))?.[1];
  try {
    return JSON.parse(event ?? body);
  } catch {
    return null;
  }
}
