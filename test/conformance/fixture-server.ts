import { openLogger } from '#infrastructure/logging/logger.ts';
import { startEdge } from '#test/bench/target.ts';
import { conformanceFeatures } from '#test/conformance/fixtures.ts';
import { startSignedInProxy } from '#test/conformance/signed-in-proxy.ts';

/** The real edge with the suite's tools, resources and prompts and nothing else, behind a proxy that is signed in. */
export async function startFixtureServer() {
  const logger = openLogger('silent');
  const edge = await startEdge({ logger, catalog: { operations: [] }, features: conformanceFeatures });
  const proxy = await startSignedInProxy(edge.url, edge.headers);
  const close = async () => {
    await proxy.close();
    await edge.close();
  };
  return { url: `${proxy.url}/message`, close };
}
