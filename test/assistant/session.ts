import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListToolsResultSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { Answer } from '#test/assistant/answer.ts';
import { Known } from '#test/assistant/known.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** An assistant's hands: the tools of the server, and nothing else. */
export type Tools = Readonly<{
  /** Uses a tool; throws when it is refused, and when the assistant cannot know what it names. */
  use(tool: string, args?: Arguments): Promise<Answer>;
  /** Uses a tool as somebody does who is mistaken or guesses; the text of the refusal. Throws when it is not refused. */
  mistake(tool: string, args?: Arguments): Promise<string>;
}>;

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.unknown().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })).default([]),
});

/** Connects the MCP SDK's own client for a request, and closes it when `work` is done. */
export async function withTools<Done>(
  { url, token, ask }: Readonly<{ url: string; token: string; ask: string }>,
  work: (tools: Tools) => Promise<Done>,
): Promise<Done> {
  const client = new Client({ name: 'tasks', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const known = new Known();
  // Not `listTools`, which compiles the output schema of each tool.
  const { tools } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
  known.learn(`${ask} ${client.getInstructions() ?? ''} ${JSON.stringify(tools)}`);
  const call = async (name: string, args: Arguments) => {
    // Hosts show a model the errors of the protocol as they show those of tools.
    const result = resultSchema.parse(
      await client.callTool({ name, arguments: { ...args } }).catch((error: unknown) => {
        if (!(error instanceof McpError)) throw error;
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }),
    );
    const text = result.content.map((part) => part.text ?? '').join('\n');
    known.learn(`${text} ${JSON.stringify(result.structuredContent ?? '')}`);
    return { text, isError: result.isError === true, value: result.structuredContent ?? read(text) };
  };
  try {
    return await work({
      use: async (tool, args = {}) => {
        const guessed = known.guessedIn({ tool, ...args });
        if (guessed.length > 0) throw new Error(`${tool} ${JSON.stringify(args)} guesses ${guessed.join(', ')}`);
        const { text, isError, value } = await call(tool, args);
        if (isError) throw new Error(`${tool} ${JSON.stringify(args)} is refused: ${text}`);
        return new Answer(value, text);
      },
      mistake: async (tool, args = {}) => {
        const { text, isError } = await call(tool, args);
        if (!isError) throw new Error(`${tool} ${JSON.stringify(args)} is not refused: ${text.slice(0, 300)}`);
        return text;
      },
    });
  } finally {
    await client.close();
  }
}

/** The data in a text that is sent without structured content; Markdown stays text. */
function read(text: string): unknown {
  const [first = ''] = text.split('\n');
  try {
    return JSON.parse(first);
  } catch {
    return text;
  }
}
