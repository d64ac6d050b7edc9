import { authorizationFaults } from '#test/mutants/outside/lists/authorization.ts';
import { firstFaults } from '#test/mutants/outside/lists/first.ts';
import { mcpFaults } from '#test/mutants/outside/lists/mcp.ts';
import { providerFaults } from '#test/mutants/outside/lists/providers.ts';
import { reactionFaults } from '#test/mutants/outside/lists/reactions.ts';
import { salesCrmFaults } from '#test/mutants/outside/lists/sales-crm.ts';
import { sessionFaults } from '#test/mutants/outside/lists/sessions.ts';
import { signingFaults } from '#test/mutants/outside/lists/signing.ts';
import { suiteCrmFaults } from '#test/mutants/outside/lists/suite-crm.ts';
import { trackerFaults } from '#test/mutants/outside/lists/tracker.ts';
import { vaultFaults } from '#test/mutants/outside/lists/vault.ts';
import { webhookFaults } from '#test/mutants/outside/lists/webhooks.ts';
import type { OutsideMutant } from '#test/mutants/outside/mutant.ts';

/** Faults that a server of the interface could have, which the suite must see from outside. */
export const outsideMutants: readonly OutsideMutant[] = [
  ...firstFaults,
  ...authorizationFaults,
  ...sessionFaults,
  ...mcpFaults,
  ...providerFaults,
  ...salesCrmFaults,
  ...signingFaults,
  ...suiteCrmFaults,
  ...trackerFaults,
  ...vaultFaults,
  ...webhookFaults,
  ...reactionFaults,
];
