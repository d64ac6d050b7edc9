import { z } from 'zod';
import {
  builtInServices,
  defineVendor,
  deliveryVerifier,
  err,
  extendService,
  failed,
  get,
  lacks,
  ok,
  orderKeyOf,
  post,
  signedIn,
  singleHeader,
  standardOAuth,
  succeeded,
} from '#bootstrap/package/service.ts';

const salesCrm = builtInServices.find(({ key }) => key === 'sales_crm');
if (salesCrm === undefined) throw new Error('There is no sales CRM.');

/** The requests of Acme CRM that the recipes send. */
const requests = {
  one: get('/sales/{number}', 'Gets a sale', { number: z.number() }),
  all: get('/sales', 'Lists sales', { from: z.string().optional() }),
  open: post('/sales', 'Opens a sale', { subject: z.string(), worth: z.number().optional() }),
};

const sale = z.object({ number: z.number(), subject: z.string(), worth: z.number().nullish(), open: z.boolean() });
const page = z.object({ sales: z.array(sale), more: z.string().nullish() });

/** A sale as a deal of the kind. */
const dealOf = ({ number, subject, worth, open }: z.output<typeof sale>) => ({
  id: number,
  title: subject,
  value: worth ?? null,
  status: open ? 'open' : 'won',
});

const unreadable = failed('unavailable', 'Acme CRM answered with something that is no sale.');
const delivered = z.object({ what: z.enum(['changed']), sale });

/** Acme CRM, a sales CRM that has nothing but sales. */
export const acme = defineVendor(salesCrm.kind, {
  name: 'acme',
  title: 'Acme CRM',
  requests,
  operations: {
    'users.me': { path: '/me' },
    'deals.get': async (send, { id }) => {
      const outcome = await send('one', { number: Number(id) });
      const read = outcome.ok ? sale.safeParse(outcome.data) : null;
      return !outcome.ok ? outcome : read?.success === true ? succeeded(dealOf(read.data)) : unreadable;
    },
    'deals.list': async (send, { cursor }) => {
      const outcome = await send('all', typeof cursor === 'string' ? { from: cursor } : {});
      const read = outcome.ok ? page.safeParse(outcome.data) : null;
      if (!outcome.ok || read?.success !== true) return outcome.ok ? unreadable : outcome;
      const next = read.data.more ?? null;
      return succeeded(read.data.sales.map(dealOf), { next, hasMore: next !== null });
    },
    'deals.create': async (send, { title, value }) => {
      const outcome = await send('open', {
        subject: String(title),
        ...(typeof value === 'number' ? { worth: value } : {}),
      });
      const read = outcome.ok ? sale.safeParse(outcome.data) : null;
      return !outcome.ok ? outcome : read?.success === true ? succeeded(dealOf(read.data)) : unreadable;
    },
  },
  lacksInputs: { 'deals.create': ['person_id', 'org_id', 'stage_id', 'pipeline_id'] },
  otherwise: lacks('Acme CRM has sales only.'),
  dialect: ({ url }) => ({
    name: 'acme',
    baseUrl: () => url ?? 'https://api.acme.example',
    trust: () => true,
    credentials: ({ accessToken }) => ({ headers: { authorization: `Bearer ${accessToken}` } }),
    headers: {},
    mediaTypes: {},
    readError: (_, body) => {
      const read = z.object({ problem: z.string() }).safeParse(body).data;
      return read === undefined ? null : { message: `The sales CRM refused: ${read.problem}.` };
    },
    readSuccess: ({ body }) => succeeded(body),
  }),
  oauth: ({ authorizeUrl, tokenUrl }) =>
    standardOAuth({
      authorizeUrl: () => authorizeUrl ?? 'https://acme.example/authorize',
      tokenUrl: () => tokenUrl ?? 'https://acme.example/token',
      authorizationParameters: ({ app, redirectUri }) => ({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
      }),
      hasPkce: true,
    }),
  webhooks: {
    source: (_, secrets) => ({
      service: 'sales_crm',
      verify: deliveryVerifier({
        secrets,
        setting: 'SALES_CRM_WEBHOOK_SECRET',
        // The address and the body are signed together.
        proof: signedIn('X-Acme-Signature', {
          in: ['base64'],
          of: ({ method, url, body }) => Buffer.concat([Buffer.from(`${method} ${url}\n`), body]),
        }),
        idOf: (delivery) => singleHeader(delivery, 'X-Acme-Delivery'),
      }),
      parts: (body) => {
        const id = delivered.safeParse(body).data?.sale.number;
        const orderKey = id === undefined ? null : orderKeyOf({ service: 'sales_crm', kind: 'deal', id: String(id) });
        return [{ name: id === undefined ? 'unknown' : 'updated.deal', orderKey, body }];
      },
      read: (body, receivedAt) => {
        const read = delivered.safeParse(body).data;
        if (read === undefined) return err({ reason: 'unknown', detail: 'it is about no sale' });
        const { id, ...deal } = dealOf(read.sale);
        return ok({
          service: 'sales_crm',
          name: 'updated.deal',
          record: { service: 'sales_crm', kind: 'deal', id: String(id) },
          occurredAt: receivedAt,
          deal: { ...deal, id: String(id), currency: undefined },
          current: deal,
          previous: null,
        });
      },
    }),
  },
  guide: { key: ['Open **My account**, and copy the token.'] },
});

/** The built-in sales CRM, with Acme CRM as one more vendor. */
export const salesCrmWithAcme = extendService(salesCrm, acme);
