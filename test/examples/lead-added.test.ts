import { expect, it } from 'vitest';
import { allReactions } from '#domain/reactions/react.ts';
import { leadAdded } from '#test/examples/lead-added.ts';
import { webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';

it('adds the reaction of docs/extending.md as one file and one row', async () => {
  const harness = webhookHarness((vault) => vault, [...allReactions, leadAdded]);
  const lead = { id: '5a0f', title: 'Acme: 20 desks' };
  await harness.take(salesCrmDelivery({ event: 'added.lead', current: lead }));
  await harness.take(salesCrmDelivery({ event: 'added.lead', current: lead, retry: 1 }));
  expect(harness.vault.paths).toEqual(['Leads/Acme 20 desks.md']);
  const note = await harness.vault.read('Leads/Acme 20 desks.md');
  expect(note.ok && note.value?.content).toMatch(
    /^---\nsales_crm_lead_id: 5a0f\ntitle: "Acme: 20 desks"\n---\n\n# Lead\n[\s\S]*## History\n- 2026-01-23 12:53 UTC: came in \^evt-\w+\n$/,
  );
});
