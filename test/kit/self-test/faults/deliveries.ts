import { type Sender, signatureHeaders } from '#test/kit/deliveries.ts';
import { answers, type Fault, type Inbound, jsonOf, requests, type World } from '#test/kit/self-test/fault.ts';
import { signed } from '#test/kit/signatures.ts';

const isHook =
  (service: Sender) =>
  ({ path, method }: Inbound): boolean =>
    path === `/webhooks/${service}` && method === 'POST';

/** A delivery with another body, signed as its sender would. */
function resigned(request: Inbound, service: Sender, body: Buffer, { secret }: World): Inbound {
  const header = signatureHeaders[service] ?? '';
  return { ...request, headers: { ...request.headers, [header]: signed(body, secret(service)) }, body };
}

const isGenuine = (request: Inbound, service: Sender, { secret }: World): boolean =>
  request.headers[signatureHeaders[service] ?? ''] === signed(request.body, secret(service));

const unsigned = (service: 'sales_crm' | 'signing' | 'tracker'): Fault =>
  requests(
    `signatures of ${service} are not looked at`,
    [`HOOK-003/${service}.missing`, `HOOK-003/${service}.other-secret`, `HOOK-003/${service}.cut`],
    isHook(service),
    (request, world) => resigned(request, service, request.body, world),
  );

/** Of what its sender signed, the time is set to now. */
const ageless = (
  service: 'signing' | 'tracker',
  member: string,
  now: () => unknown,
  seenBy: readonly string[],
): Fault =>
  requests(`deliveries of ${service} may be of any age`, seenBy, isHook(service), (request, world) => {
    if (!isGenuine(request, service, world)) return request;
    return resigned(request, service, Buffer.from(JSON.stringify({ ...jsonOf(request), [member]: now() })), world);
  });

/** Faults of incoming deliveries. */
export const deliveryFaults: readonly Fault[] = [
  unsigned('sales_crm'),
  unsigned('signing'),
  unsigned('tracker'),
  requests(
    'the token of the suite CRM is not looked at',
    ['HOOK-003/suite_crm.missing', 'HOOK-003/suite_crm.wrong', 'HOOK-003/suite_crm.cut'],
    isHook('suite_crm'),
    (request, { secret }) => ({
      ...request,
      body: Buffer.from(JSON.stringify({ ...jsonOf(request), token: secret('suite_crm') })),
    }),
  ),
  ageless('signing', 'date_created', () => new Date().toISOString(), ['HOOK-005/late', 'HOOK-005/no-time']),
  ageless('tracker', 'webhookTimestamp', () => Date.now(), ['HOOK-007/late', 'HOOK-007/early']),
  requests(
    'the signature is one of JSON serialized again',
    ['HOOK-002/tracker'],
    isHook('tracker'),
    (request, world) => {
      const serialized = JSON.stringify(jsonOf(request));
      const isTaken = request.headers['tracker-signature'] === signed(serialized, world.secret('tracker'));
      return isTaken
        ? resigned(request, 'tracker', request.body, world)
        : { ...request, headers: { ...request.headers, 'tracker-signature': '' } };
    },
  ),
  requests('a repeated delivery has its effect again', ['REACT-007'], isHook('sales_crm'), (request, world) => {
    const payload = jsonOf(request);
    const meta = { ...(payload['meta'] as object), id: `${Math.random()}`, timestamp: new Date().toISOString() };
    return isGenuine(request, 'sales_crm', world)
      ? resigned(request, 'sales_crm', Buffer.from(JSON.stringify({ ...payload, meta })), world)
      : request;
  }),
  answers(
    'a delivery that is refused is 403',
    ['HOOK-001/tracker', 'HOOK-003/tracker.missing'],
    ({ path }, { status }) => path.startsWith('/webhooks/') && status === 401,
    (answer) => ({ ...answer, status: 403 }),
  ),
  answers(
    'odd bodies are a fault of the server',
    ['HOOK-012/null'],
    ({ path, body }) => path.startsWith('/webhooks/') && body.toString() === 'null',
    (answer) => ({ ...answer, status: 500 }),
  ),
  answers(
    'unknown events are refused',
    ['HOOK-011/tracker'],
    ({ body }) => body.includes('"paint"'),
    (answer) => ({ ...answer, status: 422 }),
  ),
  {
    name: 'deliveries are taken and forgotten',
    seenBy: ['REACT-001/history', 'REACT-003', 'REACT-005'],
    inbound: () => async (request, pass) =>
      request.path.startsWith('/webhooks/')
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"received":true}') }
        : pass(request),
  },
];
