import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { streamableClient } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { AnsweringProvider } from '#test/support/services/answering-provider.ts';

/**
 * The whole server with five providers that answer as a test sets them up. Ada is connected to each, and an MCP SDK client is signed in
 * as her. The client has listed all tools, so that it validates their answers. `settings` are added to the server’s.
 */
export async function openAnsweringHarness(settings: Readonly<Record<string, string>> = {}) {
  const providers = {
    sales_crm: new AnsweringProvider('sales_crm'),
    signing: new AnsweringProvider('signing'),
    suite_crm: new AnsweringProvider('suite_crm'),
    tracker: new AnsweringProvider('tracker'),
    vault: new AnsweringProvider('vault'),
  };
  const [sales, signing, suite, tracker, vault] = await Promise.all(
    Object.values(providers).map((provider) => provider.listen()),
  );
  const server = await openWholeServer({
    ...settings,
    RATE_LIMITS: 'off',
    WEBHOOK_REGISTRATION: 'off',
    // Not Ada, whose vault the server would read each minute for reactions: a request that no call made.
    AUTOMATION_USER_ID: '2',
    SALES_CRM_URL: sales ?? '',
    SIGNING_URL: signing ?? '',
    SUITE_CRM_URL: suite ?? '',
    SUITE_CRM_AUTHORIZE_URL: `${suite}/oauth/v2/auth`,
    SUITE_CRM_TOKEN_URL: `${suite}/oauth/v2/token`,
    SUITE_CRM_CLIENT_ID: 'the-client',
    SUITE_CRM_CLIENT_SECRET: 'the-secret',
    TRACKER_URL: `${tracker}/graphql`,
  });
  const person = await SignedIn.to(server.origin, ada);
  const save = (service: ServiceKey, auth_method: string, extra: object = {}) =>
    person.call('POST', '/save', { service, auth_method, access_token: `the-key-of-${service}`, extra });
  providers.signing.says = { data: [] };
  // Plans under which none of this many calls has to wait.
  await save('sales_crm', 'personal_token', { plan: 'ultimate', seats: 100 });
  await save('signing', 'api_key', { plan: 'production' });
  await save('tracker', 'personal_token');
  await save('vault', 'api_key', { base_url: vault });
  await person.connect('suite_crm');
  const token = await accessToken(server);
  const client: Client = await streamableClient(server.origin, token);
  const { tools } = await client.listTools();
  return {
    server,
    person,
    token,
    client,
    tools,
    providers,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
      await Promise.all(Object.values(providers).map((provider) => provider.close()));
    },
  };
}

/** A harness that is open. */
export type AnsweringHarness = Awaited<ReturnType<typeof openAnsweringHarness>>;
