import { spending, within } from '#test/kit/budgets.ts';
import { contains, equal, holds, lacks, listAt, matches, member, status, textAt } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { withKey } from '#test/kit/connections.ts';
import { fileBytes } from '#test/kit/emulators/cloud-services.ts';
import { callsIn } from '#test/kit/emulators/emulator.ts';

const needs = ['login', 'rest', 'service:sales_crm'] as const;
const deal = '/api/sales_crm/deals/41';

/** Clauses on the REST routes, uploads, downloads, and the services' rate limits. */
export const rest: readonly Clause[] = [
  portolan(
    'REST-002',
    'success is 200 with data, and for lists with pagination',
    async (kit) => {
      const one = await kit.api('GET', deal);
      status(one, 200);
      equal(member(one.json, 'data', 'id'), 41, 'data.id');
      const list = await kit.api('GET', '/api/sales_crm/deals');
      equal(listAt(list.json, 'data').length, 1, 'the number of items');
      equal(member(list.json, 'pagination', 'hasMore'), false, 'hasMore');
    },
    needs,
  ),
  portolan(
    'REST-003',
    '/openapi.json lists the operations of all services once',
    async (kit) => {
      const answer = await kit.api('GET', '/openapi.json');
      status(answer, 200);
      matches(textAt(answer.json, 'openapi'), /^3\./, 'openapi');
      const paths = Object.keys(Object(member(answer.json, 'paths')));
      for (const path of [
        '/api/sales_crm/deals/{id}',
        '/api/signing/documents/{id}/send',
        '/api/suite_crm/{module}/{id}',
        '/api/tracker/issues/{id}/archive',
      ]) {
        holds(paths.includes(path), `the path ${path}`, paths.length);
      }
    },
    ['login', 'rest'],
  ),
  portolan(
    'REST-001',
    'operations are below /api/{service} without a version prefix',
    async (kit) => {
      status(await kit.api('GET', deal), 200);
      status(await kit.api('GET', '/api/sales_crm/api/v2/deals/41'), 404);
    },
    needs,
  ),
  portolan(
    'REST-004',
    'text in the query becomes the number, boolean or list that the input wants',
    async (kit) => {
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('GET', '/api/sales_crm/deals?limit=5&ids=1,2'),
      );
      status(value, 200);
      equal(received.at(-1)?.query.get('limit'), '5', 'limit');
      equal(received.at(-1)?.query.get('ids'), '1,2', 'ids');
      status(await kit.api('GET', '/api/sales_crm/deals?limit=five'), [400, 422]);
    },
    needs,
  ),
  portolan(
    'REST-005',
    'an unknown name is refused with the nearest known one, and nothing is sent',
    async (kit) => {
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('POST', '/api/sales_crm/deals', { titel: 'x', title: 'x' }),
      );
      equal(member(value.json, 'reason'), 'invalid_input', 'reason');
      contains(value.text, 'title', 'the answer');
      equal(callsIn(received), [], 'the calls:');
    },
    needs,
  ),
  portolan(
    'REST-006/json',
    'an upload takes JSON with base64',
    async (kit) => {
      const file = { name: 'kit.bin', content_base64: fileBytes.toString('base64') };
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('POST', '/api/sales_crm/files', { file }),
      );
      status(value, 200);
      holds(
        received.some(({ body }) => body.includes(fileBytes)),
        'the bytes of the file',
        received.length,
      );
    },
    needs,
  ),
  portolan(
    'REST-006/form',
    'an upload takes a form',
    async (kit) => {
      const head =
        '--kit\r\nContent-Disposition: form-data; name="file"; filename="kit.bin"\r\nContent-Type: application/pdf\r\n\r\n';
      const body = Buffer.concat([Buffer.from(head), fileBytes, Buffer.from('\r\n--kit--\r\n')]);
      const headers = {
        authorization: `Bearer ${await kit.token()}`,
        'content-type': 'multipart/form-data; boundary=kit',
      };
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.send({ ...kit.routed('POST', '/api/sales_crm/files'), headers, body }),
      );
      status(value, 200);
      holds(
        received.some((request) => request.body.includes(fileBytes)),
        'the bytes of the file',
        received.length,
      );
    },
    needs,
  ),
  portolan(
    'REST-008',
    'a file that is answered is a download, never a page',
    async (kit) => {
      const page = { headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' };
      kit.emulator('sales_crm').script(({ path }) => path === '/v1/files/8/download', page);
      const answer = await kit.api('GET', '/api/sales_crm/files/8/download');
      matches(answer.header('content-disposition'), /^attachment\b/, 'content-disposition');
      equal(answer.header('x-content-type-options'), 'nosniff', 'x-content-type-options');
    },
    needs,
  ),
  portolan(
    'REST-012',
    'the name of an uploaded file loses its path, and adds no header',
    async (kit) => {
      const headers = { authorization: `Bearer ${await kit.token()}`, 'content-type': 'application/pdf' };
      const name = encodeURIComponent('../../a"\r\nX-Evil: 1\r\nGrüße.pdf');
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.send({ ...kit.routed('POST', `/api/sales_crm/files?file_name=${name}`), headers, body: fileBytes }),
      );
      for (const { text } of received) {
        holds(!/^X-Evil:/m.test(text), 'no header of the name', text);
        lacks(text, '../', 'the form');
      }
      holds(value.status < 500, 'no fault', value.text);
    },
    needs,
  ),
  contract(
    'LIMIT-004',
    'no more calls of the suite CRM at once than its smallest edition allows (5)',
    async (kit) => {
      const emulator = kit.emulator('suite_crm');
      const held = Promise.withResolvers<void>();
      emulator.mostAtOnce = 0;
      emulator.script(
        ({ path }) => path === '/crm/v8/Leads/91',
        ...Array.from({ length: 15 }, () => ({ until: held.promise, body: { data: [{ id: '91' }] } })),
      );
      const calls = Promise.all(Array.from({ length: 15 }, () => kit.api('GET', '/api/suite_crm/Leads/91')));
      // None is answered until no more of them come.
      await Promise.race([calls, kit.quiet('suite_crm')]);
      held.resolve();
      const answers = await calls;
      emulator.unscript();
      equal(
        answers.filter((answer) => answer.status !== 200).map((answer) => answer.text),
        [],
        'the failures',
      );
      holds(emulator.mostAtOnce <= 5, 'at most 5 requests at once', emulator.mostAtOnce);
    },
    ['login', 'rest', 'service:suite_crm'],
  ),
  contract(
    'LIMIT-003',
    'with a sandbox key no more than 10 requests a minute go to one endpoint of the signing service',
    async (kit) => {
      await withKey(kit, 'signing', async () => {
        await within(() => spending(kit, 'signing', { path: '/api/signing/forms', calls: 14 }), 10, 60_000);
      });
    },
    ['login', 'rest', 'service:signing'],
  ),
];
