import { expect, it } from 'vitest';
import { allReactions } from '#domain/reactions/react.ts';
import { leadAdded } from '#test/examples/lead-added.ts';
import { webhookHouse } from '#test/support/webhook-house.ts';
import { salesCrmDelivery } from '#test/support/webhook-senders.ts';

it('a reaction is added as one file and one row: the one of the README', async () => {
  const house = webhookHouse((vault) => vault, [...allReactions, leadAdded]);
  const lead = { id: '5a0f', title: 'Acme: 20 desks' };
  await house.take(salesCrmDelivery({ event: 'added.lead', current: lead }));
  await house.take(salesCrmDelivery({ event: 'added.lead', current: lead, retry: 1 }));
  expect(house.vault.paths).toEqual(['Leads/Acme 20 desks.md']);
  const note = await house.vault.read('Leads/Acme 20 desks.md');
  expect(note.ok && note.value?.content).toMatch(
    /^---\nsales_crm_lead_id: 5a0f\ntitle: "Acme: 20 desks"\n---\n\n# Lead\n[\s\S]*## History\n- 2026-01-23 12:53 UTC: came in \^evt-\w+\n$/,
  );
});
