import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { WorkingClient } from '#test/support/mcp/client-work.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

/** The outcome of an Inspector command: its exit code, the `result` that it printed, and its standard error. */
export type InspectorRun = Readonly<{ code: number; result: unknown; said: string }>;

/** The Inspector's file, its own home directory, and the server to inspect. */
export type InspectorWay = Readonly<{ file: string; home: string; server: readonly string[] }>;

const maxRunMs = 120_000;
/** Its own limit is 15 s, in which a server that is started for it may not be there on a busy machine. */
const connectMs = 110_000;
const answerSchema = z.object({ result: z.unknown() });
const named = z.looseObject({ name: z.string() });
const toolsSchema = z.object({ tools: z.array(named) });
const promptsSchema = z.object({ prompts: z.array(named) });
const resourcesSchema = z.object({ resources: z.array(z.looseObject({ uri: z.string() })) });

/** Runs it for one method. An error of the protocol is thrown; one of a tool is a result, and the code is 5. */
export function inspect({ file, home, server }: InspectorWay, ...args: readonly string[]): Promise<InspectorRun> {
  const words = [
    file,
    '--cli',
    ...server,
    '--connect-timeout',
    String(connectMs),
    '--format',
    'json',
    '--method',
    ...args,
  ];
  const env = { ...programEnvironment(), HOME: home };
  const options = { env, timeout: maxRunMs, maxBuffer: 1 << 24 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, options, (error, stdout, said) => {
      const code = error === null ? 0 : Number(error.code);
      if (stdout === '') reject(new Error(`The Inspector ended with ${code}: ${said}`));
      else resolve({ code, said, result: answerSchema.parse(JSON.parse(stdout)).result });
    });
  });
}

/** The Inspector as an MCP client. Each use is a process that connects, sends one request and ends. */
export function inspectorClient(way: InspectorWay): WorkingClient {
  const ask = async (...args: readonly string[]) => (await inspect(way, ...args)).result;
  return {
    listTools: async () => toolsSchema.parse(await ask('tools/list')),
    callTool: ({ name, arguments: given }) =>
      ask('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(given)),
    listResources: async () => resourcesSchema.parse(await ask('resources/list')),
    readResource: ({ uri }) => ask('resources/read', '--uri', uri),
    listPrompts: async () => promptsSchema.parse(await ask('prompts/list')),
    getPrompt: ({ name, arguments: given }) => {
      const pairs = Object.entries(given).flatMap(([key, value]) => ['--prompt-args', `${key}=${value}`]);
      return ask('prompts/get', '--prompt-name', name, ...pairs);
    },
  };
}
