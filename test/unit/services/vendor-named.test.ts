import { describe, expect, it } from 'vitest';
import { vendorNamed } from '#adapters/services/vendor-named.ts';
import { failed } from '#domain/operations/outcome.ts';

const refused = failed('rejected', 'The sales CRM refused. Scope and URL mismatch', { details: { code: 1 } });

describe('a failure that a provider folder words', () => {
  it('calls the service with its vendor where its dialect is spoken, and keeps the rest (PAGE-006)', () => {
    expect(vendorNamed(refused, { service: 'sales_crm', vendor: 'Pipedrive' })).toEqual({
      ...refused,
      message: 'The Sales CRM (Pipedrive) refused. Scope and URL mismatch',
    });
  });

  it('stays as it is in the neutral dialect', () => {
    expect(vendorNamed(refused, { service: 'sales_crm', vendor: null })).toBe(refused);
  });

  it.each([
    ['signing', 'PandaDoc', 'The signing service refused: no', 'The Signing service (PandaDoc) refused: no'],
    ['suite_crm', 'Zoho CRM', 'The suite CRM refused: no', 'The Suite CRM (Zoho CRM) refused: no'],
    ['tracker', 'Linear', 'The tracker refused: no.', 'The Tracker (Linear) refused: no.'],
    ['vault', 'Obsidian', 'The vault refused: no', 'The Vault (Obsidian) refused: no'],
    ['vault', 'Obsidian', 'Portolan did not send this: the vault', 'Portolan did not send this: the vault'],
  ] as const)('of %s', (service, vendor, before, after) => {
    expect(vendorNamed(failed('rejected', before), { service, vendor }).message).toBe(after);
  });
});
