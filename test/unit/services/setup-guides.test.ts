import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inlineParts } from '#adapters/http/answers/inline-text.ts';
import { guidesOf } from '#adapters/services/definitions/setup-guides.ts';
import { guideDocuments } from '#bootstrap/build/service-guides.ts';
import { allServices } from '#bootstrap/services.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';

const guides = allServices.flatMap(guidesOf);
const needed = (service: (typeof allServices)[number], dialect: string) =>
  guidesOf(service)
    .find((guide) => guide.dialect === dialect)
    ?.settings.flatMap(({ name, need }) => (need === 'optional' ? [] : [name]));

describe('the guides of the services', () => {
  it('match docs/services; `npm run guides` writes it (PAGE-021)', () => {
    const folder = 'docs/services';
    const written = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
    const byName = (documents: typeof written) => Object.fromEntries(documents.map(({ name, text }) => [name, text]));
    expect(byName(written)).toEqual(byName([...guideDocuments(allServices)]));
    expect(written.length).toBeGreaterThanOrEqual(8);
  });

  it('describe every setting of every service but those of other vendors, none with the text for unknown ones', () => {
    for (const service of allServices) {
      const others = (dialect: string) =>
        service.parts.flatMap(({ name, settings }) => (name === dialect ? [] : Object.keys(settings)));
      for (const { dialect, settings } of guidesOf(service)) {
        const ours = Object.keys(service.variables).filter((name) => !others(dialect).includes(name));
        expect(settings.map(({ name }) => name).sort()).toEqual(ours.sort());
        expect(settings.filter(({ text }) => text.startsWith('A setting of the '))).toEqual([]);
      }
    }
  });

  it('have steps of the vendor for each part', () => {
    for (const { vendor, app, key, deliveries } of guides) {
      if (vendor === null) continue;
      const steps = [...(app ?? []), ...(key ?? []), ...(deliveries ?? [])];
      expect(steps.join(' ')).toContain(vendor);
      expect(steps.join(' ')).not.toContain('developer settings of');
    }
  });

  it('require an address and the OAuth addresses only if the dialect does not know them', () => {
    const [salesCrm] = allServices;
    if (salesCrm === undefined) throw new Error('There is no service.');
    const common = ['SALES_CRM_CLIENT_ID', 'SALES_CRM_CLIENT_SECRET'];
    const secret = 'SALES_CRM_WEBHOOK_SECRET';
    expect(needed(salesCrm, 'pipedrive')).toEqual(['SALES_CRM_DIALECT', ...common, secret]);
    // The neutral form's deliveries are signed with the client secret, unless a secret of their own is set.
    const addresses = ['SALES_CRM_AUTHORIZE_URL', 'SALES_CRM_TOKEN_URL'];
    expect(needed(salesCrm, 'neutral')?.toSorted()).toEqual(['SALES_CRM_URL', ...common, ...addresses].toSorted());
  });

  it('use the default steps for a service that brings none', () => {
    const [deskly, neutral] = guidesOf(helpdesk);
    expect([deskly?.vendor, neutral?.vendor]).toEqual(['Deskly', null]);
    expect(deskly?.app?.[0]).toBe('Open the developer settings of Deskly, and create an app for OAuth.');
    expect(deskly?.deliveries?.join(' ')).toContain('HELP_DESK_WEBHOOK_SECRET');
    expect(needed(helpdesk, 'deskly')).toContain('HELP_DESK_AUTHORIZE_URL');
  });
});

describe('the texts of guides', () => {
  it('become plain text, names, code and links', () => {
    expect(
      inlineParts('Open [it](https://a.example/b), **Settings**: `A=b`.').map(({ kind, text }) => [kind, text]),
    ).toEqual([
      ['plain', 'Open '],
      ['link', 'it'],
      ['plain', ', '],
      ['strong', 'Settings'],
      ['plain', ': '],
      ['code', 'A=b'],
      ['plain', '.'],
    ]);
  });

  it('link to https only', () => {
    expect(inlineParts('[x](javascript:alert(1)) [y](http://a.example)').map(({ kind }) => kind)).toEqual(['plain']);
  });
});
