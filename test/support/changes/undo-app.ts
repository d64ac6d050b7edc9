import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { type EmulatedServices, startServices } from '#test/support/services/emulated-services.ts';

const resultSchema = z.looseObject({
  isError: z.boolean().default(false),
  structuredContent: z.looseObject({}).optional(),
  content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
});

/** An answer of a tool: whether it is an error, and its structured content. */
export type ToolAnswer = Readonly<{ isError: boolean; data: Readonly<Record<string, unknown>> }>;

const listed = z.object({
  changes: z.array(z.looseObject({ id: z.string(), operation: z.string(), undo: z.string() })),
});

/** The whole app with the five emulated services, in which apps change things and take them back. */
export class UndoApp {
  readonly services: EmulatedServices;
  readonly server: WholeServer;
  readonly person: SignedIn;
  readonly browser: PlainBrowser;

  private constructor(parts: Pick<UndoApp, 'services' | 'server' | 'person' | 'browser'>) {
    this.services = parts.services;
    this.server = parts.server;
    this.person = parts.person;
    this.browser = parts.browser;
  }

  /** Starts it, with Ada signed in and connected to all services. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<UndoApp> {
    const services = await startServices();
    const all = { RATE_LIMITS: 'off', WEBHOOK_REGISTRATION: 'off', ...services.settings, ...settings };
    const server = await openWholeServer(all);
    const person = await SignedIn.to(server.origin, ada);
    await services.connectByKeys(person);
    return new UndoApp({ services, server, person, browser: await signedInAt(server.origin, ada) });
  }

  async stop(): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.services.close();
  }

  /** The token of a new app of Ada's. */
  app(wanted: Parameters<typeof grantToken>[2]): Promise<string> {
    return grantToken(this.server.origin, this.browser, wanted);
  }

  /** Calls a tool. */
  async call(token: string, name: string, args: object): Promise<ToolAnswer> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await post(this.server.origin, message, { person: token });
    const { result } = z.looseObject({ result: resultSchema }).parse(await answer.json());
    // A long answer is sent once, as text.
    const data = result.structuredContent ?? z.looseObject({}).parse(JSON.parse(result.content[0].text));
    return { isError: result.isError, data };
  }

  /** Calls a tool that succeeds. */
  async made(token: string, name: string, args: object): Promise<ToolAnswer['data']> {
    const { isError, data } = await this.call(token, name, args);
    if (isError) throw new Error(`${name}: ${JSON.stringify(data)}`);
    return data;
  }

  /** The changes that an app can take back, the latest first. */
  async changes(token: string, since?: string) {
    const { data } = await this.call(token, 'workspace_undo', { dry: true, ...(since === undefined ? {} : { since }) });
    return listed.parse(data).changes;
  }

  /** The id of the app's latest change. */
  async latest(token: string): Promise<string> {
    return (await this.changes(token))[0]?.id ?? '';
  }
}
