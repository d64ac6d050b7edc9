import type { Bench } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { connectVault, startWhole } from '#test/bench/whole.ts';

const note = '# Acme\n\nA note of two lines.\n';
const path = '/vault/Deals/Acme.md';

/** A read of a provider over `GET /api/…` through the whole server, beside the same call by bare got behind bare node:http. */
export const bench: Bench = {
  name: 'rest',
  run: async ({ compare }) => {
    const provider = await serveInChild({ kind: 'bare', body: note, type: 'text/markdown' });
    const whole = await startWhole({ VAULT_URL: provider.url, PRIVATE_ADDRESSES: 'on' });
    await connectVault(whole, provider.url);
    const headers = { authorization: 'Bearer a-key', accept: 'text/markdown' };
    const gateway = await serveInChild({ kind: 'gateway', provider: provider.url + path, headers });
    const { pid } = whole;
    const load = {
      url: `${whole.url}/api/vault${path}`,
      method: 'GET' as const,
      headers: whole.headers,
      ...(pid === undefined ? {} : { pid }),
    };
    const row = await compare('a read of a provider, the whole server', load, gateway);
    for (const server of [whole, gateway, provider]) await server.close();
    return [row];
  },
};
