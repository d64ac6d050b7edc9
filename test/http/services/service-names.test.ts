import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const vendors = {
  SALES_CRM_DIALECT: 'pipedrive',
  SIGNING_DIALECT: 'pandadoc',
  SUITE_CRM_DIALECT: 'zoho',
  TRACKER_DIALECT: 'linear',
  VAULT_DIALECT: 'obsidian',
};
const called = ['Sales CRM (Pipedrive)', 'Signing service (PandaDoc)', 'Suite CRM (Zoho)', 'Tracker (Linear)'];
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const initializedSchema = z.object({ result: z.object({ instructions: z.string() }) });
const problemSchema = z.object({ detail: z.string() });

describe.each([
  ['with their vendors where the vendors’ dialects are spoken', vendors, [...called, 'Vault (Obsidian)']],
  ['by their kind in the neutral dialect', {}, ['Sales CRM', 'Signing service', 'Suite CRM', 'Tracker', 'Vault']],
] as const)('services are called %s', (_, env, names) => {
  let server: WholeServer;
  let browser: PlainBrowser;
  const pageText = async (path: string): Promise<string> => (await browser.get(path)).text();

  beforeAll(async () => {
    server = await startWholeServer(env);
    browser = await server.signedIn();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(['/floki/index', '/page'])('on the page %s (PAGE-006)', async (path) => {
    const text = await pageText(path);
    for (const name of names) expect(text).toMatch(nameOnly(name));
  });

  it('in the instructions for assistants', async () => {
    const { body } = await sendJson(server, browser, ['POST', '/message', initialize]);
    const { instructions } = initializedSchema.parse(body).result;
    for (const name of names) expect(instructions).toMatch(nameOnly(name));
  });

  it('in errors', async () => {
    const { body } = await sendJson(server, browser, ['GET', '/api/sales_crm/deals']);
    expect(problemSchema.parse(body).detail).toMatch(nameOnly(names[0]));
  });

  it('in the OpenAPI document', async () => {
    const { body } = await sendJson(server, browser, ['GET', '/openapi.json']);
    const { tags } = z.object({ tags: z.array(z.object({ description: z.string() })) }).parse(body);
    expect(tags.map(({ description }) => description)).toEqual(names);
  });
});

/** The name, and no vendor after one that has none. */
function nameOnly(name: string): RegExp {
  return new RegExp(`${name.replaceAll(/[()]/g, '\\$&')}(?! \\((?!tools|signing_|suite_|tracker_|vault_))`);
}
