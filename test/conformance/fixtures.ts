import type { Features } from '#adapters/mcp/open-endpoint.ts';
import { askingTools } from '#test/conformance/asking-tools.ts';
import { changingTools, type Switches } from '#test/conformance/changing-tools.ts';
import { fixturePrompts } from '#test/conformance/fixture-prompts.ts';
import { fixtureResources } from '#test/conformance/fixture-resources.ts';
import { plainTools } from '#test/conformance/plain-tools.ts';

/** What the conformance suite asks a server to have, by the names that it wants. Loaded by that test alone. */
export const conformanceFeatures = (switches: Switches): Features => ({
  tools: [...plainTools, ...askingTools, ...changingTools(switches)],
  resources: [fixtureResources],
  prompts: fixturePrompts,
  logging: true,
});
