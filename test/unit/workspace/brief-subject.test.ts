import { describe, expect, it } from 'vitest';
import { type BriefRecord, grown } from '#domain/workspace/brief-subject.ts';
import type { Carried } from '#domain/workspace/found-record.ts';
import { mergedRecords } from '#domain/workspace/merged-records.ts';
import { resolved } from '#domain/workspace/resolve-subject.ts';

const record = (key: string, title: string, carries: Carried = {}): BriefRecord => {
  const [service = '', kind = '', id = ''] = key.split('/');
  return { service, kind, id, title, state: null, time: null, link: null, carries };
};
const company = { service: 'sales_crm', kind: 'organization', id: '1' };

/** The keys of the subject's records, or of the candidates. */
function meant(about: string, found: readonly BriefRecord[]) {
  const known = resolved(about, found);
  const records = known.subject === null ? known.candidates : known.subject.records;
  const keys = records.map(({ service, kind, id }) => `${service}/${kind}/${id}`);
  return { isOne: known.subject !== null, keys };
}

describe('what a brief is about', () => {
  it('is the company rather than its persons and deals, of which a part of the name is typed (WORK-015)', () => {
    const found = [
      record('sales_crm/deal/4', 'Acme: renewal', { organization: 'Acme Ltd' }),
      record('sales_crm/person/5', 'Acme desk', { organization: 'Acme Ltd' }),
      record('sales_crm/organization/1', 'Acme Ltd'),
      record('suite_crm/organization/9', 'ACME ltd.'),
    ];
    expect(meant('acme', found)).toEqual({
      isOne: true,
      keys: ['sales_crm/organization/1', 'suite_crm/organization/9'],
    });
    expect(meant('Acme: renewal', found)).toEqual({ isOne: true, keys: ['sales_crm/deal/4'] });
  });

  it('is refused for two of one name in one service, and for a deal of another company (WORK-015)', () => {
    const twice = [record('suite_crm/organization/8', 'Acme'), record('suite_crm/organization/9', 'Acme')];
    expect(meant('Acme', [record('sales_crm/organization/1', 'Acme'), ...twice])).toMatchObject({ isOne: false });
    const other = record('sales_crm/deal/4', 'Acme machines', { organization: 'Bolt' });
    expect(meant('acme', [record('sales_crm/organization/1', 'Acme Ltd'), other])).toMatchObject({ isOne: false });
  });

  it('is refused for two of one name in two services that share no address, or no company (WORK-015)', () => {
    const ann = (service: string, carries: Carried) => record(`${service}/person/1`, 'Ann Buyer', carries);
    const mine = ann('sales_crm', { emails: ['ann@acme.example'], organization: 'Acme' });
    for (const [theirs, isOne] of [
      [{ emails: ['ann@acme.example'], organization: 'Acme Holding' }, true],
      [{ emails: ['ann@bolt.example'], organization: 'Acme' }, false],
      [{ emails: [], organization: 'Bolt' }, false],
      [{ emails: [], organization: 'ACME' }, true],
      [{}, true],
    ] as const) {
      expect(meant('Ann Buyer', [mine, ann('suite_crm', theirs)])).toMatchObject({ isOne });
    }
  });

  it('is nothing that only shares some words, nor the person of another address (WORK-015)', () => {
    const found = [record('sales_crm/organization/1', 'Acme Energy'), record('sales_crm/person/2', 'ann@acme.example')];
    expect(meant('Acme Solar', found)).toEqual({ isOne: false, keys: [] });
    expect(meant('ann@acme.example', found)).toEqual({ isOne: false, keys: [] });
    expect(meant('__proto__', found)).toEqual({ isOne: false, keys: [] });
  });

  it('is the company whose persons have addresses in a domain, refused for several (WORK-013, WORK-015)', () => {
    const at = (id: string, organization: string, ref: string) =>
      record(`sales_crm/person/${id}`, `Person ${id}`, {
        emails: [`p${id}@acme.example`],
        organization,
        refs: [{ ...company, id: ref }],
      });
    const one = [at('1', 'Acme', '1'), at('2', 'Acme', '1')];
    expect(meant('acme.example', one)).toEqual({ isOne: true, keys: ['sales_crm/organization/1'] });
    expect(meant('acme.example', [...one, at('3', 'Bolt', '2')])).toMatchObject({ isOne: false });
  });
});

describe('what is learned of it', () => {
  it('are the addresses of its persons, and their domains but those of mail providers (WORK-014)', () => {
    const known = resolved('Acme', [record('sales_crm/organization/1', 'Acme')]);
    if (known.subject === null) throw new Error('It is one.');
    const person = (id: string, email: string, refs = [company]) =>
      record(`sales_crm/person/${id}`, email, { emails: [email], refs });
    const { emails, domains } = grown(known.subject, [
      person('1', 'ann@acme.example'),
      person('2', 'bob@gmail.com'),
      person('3', 'eve@bolt.example', [{ ...company, id: '2' }]),
    ]);
    expect([emails, domains]).toEqual([['ann@acme.example', 'bob@gmail.com'], ['acme.example']]);
  });

  it('is connected by more than its name as soon as one answer says so (WORK-014)', () => {
    const note = (isByName?: boolean) => record('vault/note/A.md', 'A', isByName === undefined ? {} : { isByName });
    const merged = (...notes: readonly BriefRecord[]) => mergedRecords(notes).map(({ carries }) => carries?.isByName);
    expect(merged(note(true), note(), note(false))).toEqual([false]);
    expect(merged(note(), note(true))).toEqual([true]);
    expect(merged(note())).toEqual([undefined]);
  });
});
