import type { Features } from '#adapters/mcp/open-endpoint.ts';
import { askingTools } from '#test/conformance/asking-tools.ts';
import { fixturePrompts } from '#test/conformance/fixture-prompts.ts';
import { fixtureResources } from '#test/conformance/fixture-resources.ts';
import { plainTools } from '#test/conformance/plain-tools.ts';

/** What the conformance suite asks a server to have, by the names that it wants. Loaded by that test alone. */
export const conformanceFeatures: Features = {
  tools: [...plainTools, ...askingTools],
  resources: [fixtureResources],
  prompts: fixturePrompts,
  logging: true,
};
