import { beforeAll, describe, expect, it } from 'vitest';
import { type Part, partText, playTwoCrms } from '#test/demo/two-crms.ts';

describe('two people with two CRMs, and Jira', () => {
  const parts: Part[] = [];

  beforeAll(() => playTwoCrms((part) => void parts.push(part)));

  const notesOf = (vendor: string) => parts.find(({ what }) => what.includes(`won at ${vendor}`))?.notes ?? {};

  it('open an issue when a deal is won at HubSpot, over the connection of the one who has it (VEND-004)', () => {
    const { 'Deals/Twenty chairs.md': deal, ...others } = notesOf('HubSpot');
    expect(deal).toContain('status open → won, stage Contract Sent → Closed Won');
    expect(Object.entries(others)).toEqual([
      ['Issues/ENG-3 Onboard Twenty chairs.md', expect.stringContaining('created by Ann Smith')],
    ]);
  });

  it('open another when one is won at Pipedrive, whose deals keep their ids (VEND-004)', () => {
    const { 'Deals/Ten tables.md': deal, ...others } = notesOf('Pipedrive');
    expect(deal).toMatch(/^sales_crm_deal_id: "\d+"$/m);
    expect(Object.entries(others)).toEqual([
      ['Issues/ENG-4 Onboard Ten tables.md', expect.stringContaining('https://acme.atlassian.net/browse/ENG-4')],
    ]);
  });

  it('are shown with their notes by the demo', () => {
    expect(parts.map(partText).join('')).toMatch(/is won at HubSpot.*\n {4}│ sales_crm_deal_id: hubspot\/\d+\n/s);
  });
});
