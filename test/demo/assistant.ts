import { createHash, randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import type { Credentials } from '#test/demo/signed-in.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';

const callback = 'http://127.0.0.1:9/callback';
const content = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));

/** An assistant at work: the MCP SDK's own client, let in by OAuth as any other client is. */
export class Assistant {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Registers, has the user sign in and allow, gets its token, and connects to `/message`. */
  static async to(origin: string, user: Credentials): Promise<Assistant> {
    const token = await accessToken(origin, user);
    const client = new Client({ name: 'Demo assistant', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL('/message', origin), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    return new Assistant(client);
  }

  /** How many tools it is offered. */
  async countTools(): Promise<number> {
    return (await this.#client.listTools()).tools.length;
  }

  /** Uses a tool; the text of its answer. Throws when the tool fails. */
  async use(tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
    const answer = await this.#client.callTool({ name: tool, arguments: { ...input } });
    const text = content
      .parse(answer.content)
      .map((part) => part.text ?? '')
      .join('\n');
    if (answer.isError === true) throw new Error(`${tool} failed: ${text}`);
    return text;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Gets an access token by the whole way through: registration, login, consent, PKCE. */
export async function accessToken(origin: string, user: Credentials): Promise<string> {
  const registered = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Demo assistant', redirect_uris: [callback] }),
  });
  const { client_id } = z.object({ client_id: z.string() }).parse(await registered.json());
  const code_verifier = randomBytes(32).toString('base64url');
  const question = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const browser = new PlainBrowser({ origin });
  const login = await browser.get(`/authorize?${question.toString()}`);
  const consent = await browser.post('/authorize', { ...hiddenFields(await login.text()), ...user });
  const allowed = await browser.post('/authorize', { ...hiddenFields(await consent.text()), decision: 'allow' });
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const given = await fetch(`${origin}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri: callback,
      code_verifier,
    }),
  });
  return z.object({ access_token: z.string() }).parse(await given.json()).access_token;
}
