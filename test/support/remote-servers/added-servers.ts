import { z } from 'zod';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

/** What GET /api/servers/{service} answers, as a schema. */
export const answeredServer = z.object({
  needs_restart: z.boolean(),
  to_restart: z.array(z.string()),
  tools: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      effect: z.string().nullable(),
      effect_by_hints: z.string().nullable(),
      waiting: z.object({ digest: z.string() }).nullable(),
      difference: z.array(z.object({ lines: z.array(z.string()) })),
    }),
  ),
});

/** What GET /api/servers/{service} answers. */
export type AnsweredServer = z.output<typeof answeredServer>;

/** A server to which MCP servers were added, and the browser of its administrator, who may use them. */
export class AddedToServer {
  server: WholeServer;
  admin: PlainBrowser;

  private constructor(server: WholeServer, admin: PlainBrowser) {
    this.server = server;
    this.admin = admin;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<AddedToServer> {
    const server = await startWholeServer(env);
    return new AddedToServer(server, await server.signedIn());
  }

  send(method: string, path: string, given?: unknown): Promise<Readonly<{ status: number; body: unknown }>> {
    return sendJson(this.server, this.admin, [method, path, given]);
  }

  /** Adds a server under the key `wiki`; it is in use after a restart. */
  add(url: string, connection: string, more: object = {}): Promise<Readonly<{ status: number; body: unknown }>> {
    return this.send('POST', '/api/servers', { key: 'wiki', title: 'Wiki', url, connection, ...more });
  }

  /** Restarts it in its folder. */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.server.stop();
    this.server = await startWholeServer(env, this.server.dataDir);
    this.admin = await this.server.signedIn();
  }

  /** Has the server asked for its tools, and returns them. */
  async look(): Promise<AnsweredServer> {
    const looked = await this.send('POST', '/api/servers/wiki/look');
    if (looked.status !== 200) throw new Error(JSON.stringify(looked.body));
    return answeredServer.parse(looked.body);
  }

  async shown(): Promise<AnsweredServer> {
    return answeredServer.parse((await this.send('GET', '/api/servers/wiki')).body);
  }

  /** Accepts all that waits. */
  async acceptAll(): Promise<Readonly<{ status: number; body: unknown }>> {
    const { tools } = await this.shown();
    const accept = tools.flatMap(({ name, waiting }) => (waiting === null ? [] : [{ name, digest: waiting.digest }]));
    return this.send('PUT', '/api/servers/wiki/tools', { accept });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
