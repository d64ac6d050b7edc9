import { holds, listAt, member, shown, textAt } from '#test/kit/checks.ts';
import { type Answer, parsed, send } from '#test/kit/wire.ts';

/** The protocol revision that the suite negotiates. */
export const revision = '2025-06-18';

/** What a tool answered: its texts joined, and its structured content. */
export type ToolResult = Readonly<{ isError: boolean; text: string; structured: unknown }>;

/** A tool as `tools/list` shows it. */
export type ListedTool = Readonly<{ name: string; tool: unknown }>;

/** A client of `POST /message`, which accepts answers as JSON and as an event stream. */
export class McpClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #path: string;
  #session: Readonly<Record<string, string>> = {};
  #id = 0;

  private constructor(baseUrl: string, headers: Readonly<Record<string, string>>, path: string) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
    this.#path = path;
  }

  /** Opens a session with an access token. */
  static open(baseUrl: string, token: string, path = '/message'): Promise<McpClient> {
    return McpClient.openWith(baseUrl, { authorization: `Bearer ${token}` }, path);
  }

  static async openWith(
    baseUrl: string,
    headers: Readonly<Record<string, string>>,
    path = '/message',
  ): Promise<McpClient> {
    const client = new McpClient(baseUrl, headers, path);
    const answer = await client.post(client.#request('initialize', initialization(revision)));
    const session = answer.header('mcp-session-id');
    const version = textAt(resultOf(answer), 'protocolVersion');
    client.#session = { 'mcp-protocol-version': version, ...(session === '' ? {} : { 'mcp-session-id': session }) };
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  /** Posts a message, or text as it stands. */
  post(message: unknown, signal?: AbortSignal): Promise<Answer> {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...this.#headers,
      ...this.#session,
    };
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const more = signal === undefined ? {} : { signal };
    return send(this.#baseUrl, { method: 'POST', path: this.#path, headers, body, ...more });
  }

  /** The result of a request; fails when it is an error. */
  async request(method: string, params: unknown = {}): Promise<unknown> {
    return resultOf(await this.post(this.#request(method, params)));
  }

  /** The answer to a request as a JSON-RPC message, a result or an error. */
  async answer(method: string, params: unknown = {}): Promise<unknown> {
    return messageOf(await this.post(this.#request(method, params)));
  }

  /** All tools, over all pages. */
  async tools(): Promise<readonly ListedTool[]> {
    const found: ListedTool[] = [];
    let cursor: unknown;
    do {
      const page = await this.request('tools/list', cursor === undefined ? {} : { cursor });
      found.push(...listAt(page, 'tools').map((tool) => ({ name: textAt(tool, 'name'), tool })));
      cursor = member(page, 'nextCursor');
    } while (typeof cursor === 'string' && found.length < 1000);
    return found;
  }

  /** The names of all tools. */
  async names(): Promise<readonly string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  /** Calls a tool; an error of the protocol counts as a failed call. */
  async call(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const message = await this.answer('tools/call', { name, arguments: input });
    const result = member(message, 'result');
    if (result === undefined) return { isError: true, text: shown(member(message, 'error')), structured: undefined };
    const parts = listAt(result, 'content').map((part) => member(part, 'text'));
    const text = parts.filter((part) => typeof part === 'string').join('\n');
    return { isError: member(result, 'isError') === true, text, structured: member(result, 'structuredContent') };
  }

  #request(method: string, params: unknown): Readonly<Record<string, unknown>> {
    this.#id += 1;
    return { jsonrpc: '2.0', id: this.#id, method, params };
  }
}

/** What a client begins with. */
export function initialization(protocolVersion: string): Readonly<Record<string, unknown>> {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'portolan-contract', version: '1' } };
}

/** The JSON-RPC message of an answer; of an event stream the last that answers a request. */
export function messageOf(answer: Answer): unknown {
  if (!answer.header('content-type').startsWith('text/event-stream')) return answer.json;
  const events = [...answer.text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => parsed(data));
  return events.findLast((event) => member(event, 'id') !== undefined);
}

function resultOf(answer: Answer): unknown {
  const message = messageOf(answer);
  const result = member(message, 'result');
  holds(
    result !== undefined,
    `${answer.asked} to answer a JSON-RPC result`,
    `${answer.status} ${shown(message ?? answer.text)}`,
  );
  return result;
}
