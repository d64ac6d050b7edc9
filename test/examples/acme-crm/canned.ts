import { createHmac } from 'node:crypto';
import type { CannedVendor } from '#test/contracts/vendor.ts';
import { salesCrmWithAcme } from '#test/examples/acme-crm/vendor.ts';

const lamp = { number: 7, subject: 'Lamp', worth: 90, open: true };
const body = JSON.stringify({ what: 'changed', sale: lamp });
const url = 'https://portolan.example/webhooks/sales_crm';
const signature = createHmac('sha256', 'a secret of hooks').update(`POST ${url}\n${body}`).digest('base64');

/** What Acme CRM says. */
export const cannedAcme: CannedVendor = {
  name: 'Acme CRM',
  service: salesCrmWithAcme,
  vendor: 'acme',
  settings: { SALES_CRM_WEBHOOK_SECRET: 'a secret of hooks' },
  connection: { authMethod: 'personal_token', accessToken: 'the-token-of-ada' },
  operations: {
    'users.me': {
      exchanges: [{ request: { method: 'GET', path: '/me' }, answer: { body: { id: 1, name: 'Ada' } } }],
    },
    'deals.get': {
      input: { id: 7 },
      exchanges: [{ request: { method: 'GET', path: '/sales/7' }, answer: { body: lamp } }],
      data: { id: 7, title: 'Lamp', value: 90, status: 'open' },
    },
    'deals.list': {
      exchanges: [{ request: { path: '/sales' }, answer: { body: { sales: [lamp] } } }],
      data: [{ title: 'Lamp' }],
    },
    'deals.create': {
      input: { title: 'Lamp', value: 90 },
      exchanges: [
        { request: { method: 'POST', path: '/sales', body: { subject: 'Lamp', worth: 90 } }, answer: { body: lamp } },
      ],
      data: { id: 7 },
    },
  },
  errors: [
    {
      operation: 'deals.get',
      input: { id: 8 },
      answer: { status: 404, body: { problem: 'no such sale' } },
      reason: 'not_found',
      says: /no such sale/,
    },
    { operation: 'users.me', answer: { status: 401 }, reason: 'unauthorized' },
    { operation: 'users.me', answer: { status: 200, body: 'not JSON' }, reason: 'unavailable' },
  ],
  pages: [
    {
      operation: 'deals.list',
      cursor: 'cursor',
      answers: [
        { answer: { body: { sales: [lamp], more: 'p2' } } },
        { request: { path: '/sales?from=p2' }, answer: { body: { sales: [] } } },
      ],
    },
  ],
  deliveries: [
    {
      url,
      headers: { 'X-Acme-Signature': signature },
      proof: 'X-Acme-Signature',
      body,
      now: 0,
      events: ['updated.deal'],
    },
  ],
};
