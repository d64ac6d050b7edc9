import { expect, it } from 'vitest';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import { AskServices } from '#application/workspace/ask-services.ts';
import { BriefWorkspace } from '#application/workspace/brief-workspace.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { serviceNames } from '#domain/services/service-names.ts';
import type { Carried } from '#domain/workspace/found-record.ts';
import { people } from '#test/support/mcp/mcp-app.ts';

const named = (kind: string, id: string, title: string, carries: Carried = {}) => ({
  kind,
  id,
  title,
  state: null,
  time: null,
  link: null,
  carries,
});
const company = named('organization', '1', 'Acme');

/** A service that knows one record, reads its own records by id, and finds notes of what is asked for. */
function knowing(record: ReturnType<typeof named> | null, service: string): ServiceQuestions {
  const records = () => (record === null ? [] : [record]);
  return {
    search: (query) => [{ operation: 'search', input: { query }, records }],
    brief: (subject) =>
      subject.records
        .filter((one) => one.service === service)
        .map(({ id }) => ({
          operation: 'read',
          input: { id },
          records: () => [named('organization', id, `Acme of ${service}`)],
        })),
  };
}

type Setting = Readonly<{ answer?: (operation: string) => Outcome; remoteId?: string; record?: typeof company }>;

async function briefOf(about: string, { answer = () => succeeded(null), remoteId, record = company }: Setting) {
  const calls: string[] = [];
  const services = new Map([
    ['sales_crm', knowing(record, 'sales_crm')],
    ['suite_crm', knowing(null, 'suite_crm')],
  ]);
  const run = async (_: unknown, { service, name }: Readonly<{ service: string; name: string }>): Promise<Outcome> => {
    calls.push(`${service} ${name}`);
    return service === 'suite_crm' ? answer(name) : succeeded(null);
  };
  const names = serviceNames([...services.keys()].map((key) => [key, key]));
  const asking = new AskServices({ run, pages: { of: async () => () => null }, names, timeoutMs: 10_000 });
  const link = { record: { service: 'sales_crm', kind: 'organization', id: '1' }, digest: '', appliedAt: 0 };
  const brief = new BriefWorkspace({
    services,
    asking,
    connections: { overview: async () => ({ services: new Set(services.keys()), isInTeamVault: false }) },
    partyLinks: {
      find: async () => (remoteId === undefined ? null : { ...link, remoteId }),
      findByRemote: async () => null,
    },
    clock: { now: () => Date.UTC(2026, 0, 1) },
  });
  const user = { ...people.ann, permissions: ['sales_crm', 'suite_crm'] };
  const { signal } = new AbortController();
  return { result: await brief.run(user, { about, isOpen: () => true, signal }), calls };
}

it('a record is joined with the one that it is linked to in the other CRM, whatever that is called (WORK-014)', async () => {
  const { result } = await briefOf('Acme', { remoteId: '77' });
  expect(result.ok && result.value).toContain('- Acme of suite_crm [suite_crm organization 77]');
  const { result: unlinked } = await briefOf('Acme', {});
  expect(unlinked.ok && unlinked.value).not.toContain('suite_crm');
});

it('a service that does not answer is named, and asked no second time (WORK-017)', async () => {
  const silent = { answer: () => failed('unavailable', 'The Suite CRM did not answer.'), remoteId: '77' };
  const { result, calls } = await briefOf('Acme', silent);
  expect(result.ok && result.value).toContain('## Not answered\n- suite_crm: The Suite CRM did not answer.');
  expect(calls.filter((call) => call.startsWith('suite_crm'))).toEqual(['suite_crm search']);
  const { result: none } = await briefOf('Nobody', { ...silent, record: named('deal', '5', 'Something else') });
  expect(none.ok ? '' : none.failure.message).toContain('Not everything was searched: The Suite CRM did not answer.');
});

it('one question is asked once, however often it comes up (WORK-017)', async () => {
  const { calls } = await briefOf('Acme', { remoteId: '77' });
  expect(calls.toSorted()).toEqual(['sales_crm read', 'sales_crm search', 'suite_crm read', 'suite_crm search']);
});
