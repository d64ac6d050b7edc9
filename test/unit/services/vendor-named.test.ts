import { describe, expect, it } from 'vitest';
import { vendorNamed } from '#adapters/services/definitions/vendor-named.ts';
import { failed } from '#domain/operations/outcome.ts';

const salesCrm = { title: 'Sales CRM', noun: 'sales CRM' };
const refused = failed('rejected', 'The sales CRM refused. Scope and URL mismatch', { details: { code: 1 } });

describe('the text of a failure', () => {
  it('names the vendor in its dialect, and keeps the rest (PAGE-006)', () => {
    expect(vendorNamed(refused, { ...salesCrm, vendor: 'Pipedrive' })).toEqual({
      ...refused,
      message: 'The Sales CRM (Pipedrive) refused. Scope and URL mismatch',
    });
  });

  it('stays the same in the neutral dialect', () => {
    expect(vendorNamed(refused, { ...salesCrm, vendor: null })).toBe(refused);
  });

  it.each([
    [
      'Signing service',
      'signing service',
      'PandaDoc',
      'The signing service refused: no',
      'The Signing service (PandaDoc) refused: no',
    ],
    ['Suite CRM', 'suite CRM', 'Zoho CRM', 'The suite CRM refused: no', 'The Suite CRM (Zoho CRM) refused: no'],
    ['Tracker', 'tracker', 'Linear', 'The tracker refused: no.', 'The Tracker (Linear) refused: no.'],
    ['Vault', 'vault', 'Obsidian', 'The vault refused: no', 'The Vault (Obsidian) refused: no'],
    ['Vault', 'vault', 'Obsidian', 'Portolan did not send this: the vault', 'Portolan did not send this: the vault'],
  ] as const)('names the vendor of %s', (title, noun, vendor, before, after) => {
    expect(vendorNamed(failed('rejected', before), { title, noun, vendor }).message).toBe(after);
  });
});
