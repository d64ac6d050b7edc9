import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import { publishedDocument } from '#test/examples/openapi/published-documents.ts';

/** A train-ticket service, made from a published document without code. */
export const trainTravel = fromOpenApi(publishedDocument('@readme/oas-examples/3.1/json/train-travel.json'), {
  key: 'train_travel',
  title: 'Train travel',
  purpose: 'for train tickets',
  operations: [
    {
      pick: 'get-stations',
      name: 'stations',
      paging: { kind: 'cursor', input: 'page', list: 'data', next: 'links.next' },
    },
    'get-trips',
    'create-booking',
    { pick: 'POST /bookings/{bookingId}/payment', name: 'booking_pay', summary: 'Pays for a booking' },
    'delete-booking',
  ],
  limits: { timeoutMs: 10_000, requests: { count: 100, windowMs: 60_000 } },
});
