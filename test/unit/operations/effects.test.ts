import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { OpenApiOptions } from '#adapters/services/from-openapi/options.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import { allServices } from '#bootstrap/services.ts';
import { isAskedBefore } from '#domain/changes/ask-policy.ts';
import { type Effect, hintsOf, storedEffectOf } from '#domain/operations/effect.ts';
import { isSwitchedOff, isWhollyOff } from '#domain/users/rights.ts';
import { guest } from '#domain/users/user.ts';
import { innerApi, innerProvider } from '#test/support/services/inner-api.ts';

const { operations } = catalogOf(allServices.map((service) => service.configure({}).provider()));
const operationOf = (service: string, name: string): OperationInfo => {
  const found = operations.find((one) => one.service === service && one.name === name);
  if (found === undefined) throw new Error(`There is no ${service} ${name}`);
  return found;
};

/** By hand, from what each call does with its inputs. */
const calls: readonly (readonly [string, string, object, Effect])[] = [
  ['sales_crm', 'deals.update', { id: 1, value: 5 }, 'change'],
  ['sales_crm', 'deals.update', { id: 1, is_deleted: true }, 'lose'],
  ['sales_crm', 'deals.update', { id: 1, is_deleted: false }, 'change'],
  ['sales_crm', 'deals.update', { id: 1, is_archived: true }, 'lose'],
  ['sales_crm', 'deals.update', { id: 1, label_ids: [] }, 'lose'],
  ['sales_crm', 'deals.create', { title: 'Acme' }, 'add'],
  ['sales_crm', 'persons.update', { id: 1, name: 'Ann' }, 'change'],
  ['sales_crm', 'persons.update', { id: 1, emails: [] }, 'lose'],
  ['sales_crm', 'activities.create', { subject: 'Call' }, 'add'],
  ['sales_crm', 'activities.create', { subject: 'Call', attendees: [{ email: 'a@b.example' }] }, 'reach'],
  ['sales_crm', 'notes.update', { id: 1, content: 'New' }, 'lose'],
  ['sales_crm', 'notes.update', { id: 1, pinned_to_deal_flag: 1 }, 'change'],
  ['sales_crm', 'leads.convert', { id: 'adf21080-0e10-11eb-879b-05d71fb426ec' }, 'lose'],
  ['sales_crm', 'webhooks.create', {}, 'reach'],
  ['signing', 'documents.send_draft', { id: 'a' }, 'reach'],
  ['signing', 'documents.status', { id: 'a' }, 'read'],
  ['signing', 'documents.status', { id: 'a', status: 'expired', notify_recipients: false }, 'lose'],
  ['signing', 'documents.status', { id: 'a', status: 'expired' }, 'reach'],
  ['signing', 'documents.create_ready', { template_uuid: 'a' }, 'add'],
  ['suite_crm', 'records.add_tags', { module: 'Leads', id: '1', tags: [{ name: 'a' }] }, 'change'],
  ['suite_crm', 'records.add_tags', { module: 'Leads', id: '1', tags: [{ name: 'a' }], over_write: true }, 'lose'],
  ['suite_crm', 'emails.send', {}, 'reach'],
  ['tracker', 'documents.change', { id: 'a', title: 'New' }, 'change'],
  ['tracker', 'documents.change', { id: 'a', content: '' }, 'lose'],
  ['tracker', 'issues.change', { issue: 'ENG-1', state: 'Done' }, 'change'],
  ['tracker', 'issues.change', { id: 'ENG-1', labelIds: ['bug'] }, 'lose'],
  ['tracker', 'issues.archive', { id: 'ENG-1' }, 'lose'],
  ['tracker', 'issues.unarchive', { id: 'ENG-1' }, 'change'],
  ['vault', 'notes.write', { path: 'a.md', content: 'a' }, 'add'],
  ['vault', 'notes.write', { path: 'a.md', content: 'a', mode: 'append' }, 'change'],
  ['vault', 'notes.write', { path: 'a.md', content: 'a', mode: 'overwrite' }, 'lose'],
  ['vault', 'periodic.write', { period: 'daily', content: 'a' }, 'change'],
  ['vault', 'periodic.write', { period: 'daily', content: 'a', mode: 'overwrite' }, 'lose'],
  ['vault', 'notes.put', { path: 'a.md', content: 'a', if_none_match: '*' }, 'add'],
  ['vault', 'notes.patch_part', { path: 'a.md', target: 'H', content: 'a' }, 'change'],
  ['vault', 'notes.patch_part', { path: 'a.md', target: 'H', content: 'a', operation: 'replace' }, 'lose'],
  ['vault', 'notes.patch_part', { path: 'a.md', target: 'k', content: 1, target_type: 'frontmatter' }, 'lose'],
  ['vault', 'notes.replace', { path: 'a.md', find: 'a', replace: 'b' }, 'change'],
  ['vault', 'notes.replace', { path: 'a.md', find: 'a', replace: '' }, 'lose'],
  ['vault', 'commands.run', { command_id: 'any' }, 'reach'],
];

describe('the effect of a call', () => {
  it.each(calls)('is that of its inputs: %s %s %j is %s (OP-020)', (service, name, input, effect) => {
    expect(operationOf(service, name).effectOf(input)).toBe(effect);
  });

  it('is the worst of the operation if the inputs are not valid (OP-020)', () => {
    const { effectOf } = operationOf('sales_crm', 'deals.update');
    const invalid: readonly unknown[] = [{ id: 1, valeu: 5 }, { value: 5 }, 'id', null, undefined, []];
    expect(invalid.map((input) => effectOf(input))).toEqual(Array(6).fill('lose'));
    expect(operationOf('vault', 'notes.write').effectOf({ path: 'a.md', content: 'a', mode: 'replace' })).toBe('lose');
  });

  it('is named of inputs that there are, in every operation (OP-020)', () => {
    const unknown = allServices.flatMap(({ kind }) =>
      Object.entries(kind.operations).flatMap(([name, { effects, input }]) =>
        (effects?.by ?? [])
          .flatMap(({ when }) => Object.keys(when))
          .filter((one) => !Object.hasOwn(input.shape, one))
          .map((one) => `${kind.key} ${name}: ${one}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  it('is that of its method for an operation of a document, unless the options say more (OAPI-015)', () => {
    const methods = ['get', 'post', 'put', 'patch', 'delete'];
    const document = innerApi({
      '/things': Object.fromEntries(methods.map((method) => [method, { operationId: method, responses: {} }])),
    });
    const sent = { pick: 'post', name: 'sent', effect: 'reach' } as const;
    const effectsOf = (picked: OpenApiOptions['operations']) =>
      catalogOf([innerProvider(document, { operations: picked })]).operations.map(({ effect }) => effect);
    expect(effectsOf(['ping', ...methods])).toEqual(['read', 'read', 'change', 'lose', 'change', 'lose']);
    expect(effectsOf(['ping', sent])).toEqual(['read', 'reach']);
  });
});

describe('the worst effect of an operation', () => {
  it('is in its hints (TOOL-003)', () => {
    const destructive = (effect: Effect) => hintsOf(effect, false, true).destructiveHint;
    expect([destructive('read'), destructive('add'), destructive('change')]).toEqual([false, false, false]);
    expect([destructive('lose'), destructive('reach')]).toEqual([true, true]);
    expect(operationOf('sales_crm', 'deals.update').effect).toBe('lose');
    expect(operationOf('sales_crm', 'activities.update').effect).toBe('reach');
  });

  it('is stored in the words that there were before (OP-021)', () => {
    const effects = ['read', 'add', 'change', 'lose', 'reach'] as const;
    expect(effects.map((effect) => storedEffectOf(effect))).toEqual(['read', 'write', 'write', 'destroy', 'destroy']);
  });
});

describe('a person is asked (TOOL-008)', () => {
  const isAsked = (service: string, name: string, input: Readonly<Record<string, unknown>>) =>
    isAskedBefore(operationOf(service, name).effectOf(input));

  it('before a deal is deleted or a document goes to its recipients, and not before a value is changed', () => {
    expect(isAsked('sales_crm', 'deals.update', { id: 1, is_deleted: true })).toBe(true);
    expect(isAsked('signing', 'documents.send_draft', { id: 'a' })).toBe(true);
    expect(isAsked('sales_crm', 'deals.update', { id: 1, value: 5 })).toBe(false);
    expect(isAsked('sales_crm', 'deals.create', { title: 'Acme' })).toBe(false);
  });
});

describe('the switch of a group (SWITCH-004)', () => {
  const user = { ...guest, switchedOff: ['sales_crm:*destroy'] };
  const deals = operationOf('sales_crm', 'deals.update');

  it('counts for each call by its own effect', () => {
    const isOff = (input: object) => isSwitchedOff(user, { ...deals, effect: deals.effectOf(input) });
    expect(isOff({ id: 1, is_deleted: true })).toBe(true);
    expect(isOff({ id: 1, value: 5 })).toBe(false);
  });

  it('hides a tool once all that it does is off', () => {
    expect(isWhollyOff(user, deals)).toBe(false);
    expect(isWhollyOff(user, operationOf('sales_crm', 'deals.merge'))).toBe(true);
    expect(isWhollyOff({ ...guest, switchedOff: ['sales_crm:*destroy', 'sales_crm:*write'] }, deals)).toBe(true);
    expect(isWhollyOff({ ...guest, switchedOff: ['sales_crm:deals.update'] }, deals)).toBe(true);
  });
});
