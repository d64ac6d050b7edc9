import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';

/*
 * A program for `npm run tasks -- --model`: reads the request, connects to the MCP address with the token, and answers. A model would choose the
 * tools; this one knows a single question, how many issues are open.
 */
const order = z
  .object({ request: z.string(), today: z.iso.date(), mcp: z.object({ url: z.url(), token: z.string() }) })
  .parse(JSON.parse(await text(process.stdin)));
const client = new Client({ name: 'example', version: '1' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(order.mcp.url), {
    requestInit: { headers: { authorization: `Bearer ${order.mcp.token}` } },
  }),
);
const { content } = await client.callTool({
  name: 'tracker_issues_list',
  arguments: { filter: { state: { type: { nin: ['completed', 'canceled'] } } }, fields: ['identifier'], first: 100 },
});
const { data } = z
  .object({ data: z.array(z.unknown()) })
  .parse(JSON.parse(z.tuple([z.object({ text: z.string() })], z.unknown()).parse(content)[0].text));
process.stdout.write(`There are ${data.length}.\n`);
await client.close();
