import { z } from 'zod';
import { recordsOf } from '#adapters/services/answers/answered-records.ts';
import { recordOf } from '#adapters/services/answers/output.ts';
import { defineService } from '#adapters/services/definitions/define-service.ts';
import { get, post } from '#adapters/services/requests/request-rows.ts';
import { rejectedDelivery } from '#adapters/services/webhooks/webhook-rejection.ts';
import { jsonOf, signedBy } from '#adapters/services/webhooks/webhook-signature.ts';
import type { EventFacts } from '#domain/events/event-facts.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { notePath } from '#domain/notes/note-path.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { reactionTo } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';
import { err, ok } from '#domain/shared/result.ts';
import { singleHeader } from '#domain/webhooks/delivery.ts';

const id = z.string().min(1).describe('The id of the ticket');
const ticket = recordOf({ subject: z.string(), state: z.string(), id: z.string() });

/** The operations. Each row defines a tool, its REST route, its validation, and its entry in the OpenAPI document. */
const operations = {
  'tickets.get': get(
    '/v1/tickets/{id}',
    'Gets a ticket',
    { id },
    {
      tool: 'help_desk_ticket_get',
      output: ticket,
      dialects: { deskly: { path: '/api/cases/{id}' } },
    },
  ),
  'tickets.create': post(
    '/v1/tickets',
    'Opens a ticket',
    { subject: z.string().min(1).describe('What it is about') },
    { tool: 'help_desk_ticket_create', output: ticket },
  ),
  'me.get': get('/v1/me', 'Gets the user whose connection it is', {}),
} as const;

/** The payload of a delivery about an opened ticket. */
type TicketOpened = EventFacts<'help_desk', 'ticket.opened'> & Readonly<{ subject: string }>;

const payload = z.object({
  event: z.literal('ticket.opened'),
  at: z.number(),
  ticket: z.object({ id: z.string(), subject: z.string().default('') }),
});

const subjectOf = z.object({ subject: z.string() });

/** When a ticket is opened, creates a note `Tickets/{subject}.md` with its id, and adds a dated line under History. */
const ticketOpened = reactionTo<TicketOpened>('help_desk', ['ticket.opened'], (event) => {
  const { record, subject } = event;
  const frontmatter = { help_desk_ticket_id: record.id, title: subject };
  const body = `\n# ${inlineText(subject)}\n\n## History\n`;
  const path = notePath('Tickets/{title}.md', { title: subject }, `Ticket ${record.id}`);
  return [
    {
      do: 'note',
      record,
      idKey: 'help_desk_ticket_id',
      frontmatter,
      history: [datedEntry('History', event, 'opened')],
      occurredAt: event.occurredAt,
      create: { path, frontmatter, body },
    },
  ];
});

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });

const found = recordsOf(z.looseObject({ id: z.string(), subject: z.string(), state: z.string() }), (one) => ({
  kind: 'ticket',
  id: one.id,
  title: one.subject,
  state: one.state,
  time: null,
  link: null,
}));

/** A help-desk service, defined outside the program's folders. */
export const helpdesk = defineService({
  key: 'help_desk',
  title: 'Help desk',
  noun: 'help desk',
  vendors: { deskly: 'Deskly' },
  operations,
  dialect: ({ dialect, url }) => ({
    name: dialect,
    baseUrl: () => url ?? (dialect === 'deskly' ? 'https://api.deskly.example' : null),
    trust: () => true,
    credentials: ({ accessToken }) => ({ headers: { authorization: `Bearer ${accessToken}` } }),
    headers: {},
    mediaTypes: {},
    readError: () => null,
    readSuccess: ({ body }) => succeeded(body),
  }),
  oauth: ({ authorizeUrl, tokenUrl }) => ({
    authorizeUrl: () => authorizeUrl,
    tokenUrl: () => tokenUrl,
    authorizationParameters: ({ app, redirectUri }) => ({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
    }),
    exchangeFields: ({ app, code, redirectUri }) => ({
      grant_type: 'authorization_code',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
      redirect_uri: redirectUri,
    }),
    refreshFields: ({ clientId }, refreshToken) => ({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
    }),
    clientAuthentication: 'body',
    hasPkce: true,
    readTokens: (body) => {
      const read = tokens.safeParse(body).data;
      return read === undefined
        ? null
        : {
            accessToken: read.access_token,
            refreshToken: read.refresh_token,
            scope: null,
            expiresInS: 3600,
            extra: {},
          };
    },
    isRefused: (status) => status === 400,
    renewEveryMs: null,
    needsRefreshToken: true,
  }),
  connection: { key: 'api_key', probe: 'me.get' },
  versionPrefixes: ['/v1'],
  webhooks: {
    secret: 'HELP_DESK_WEBHOOK_SECRET',
    source: (_, secrets) => ({
      service: 'help_desk',
      verify: (delivery) => {
        const signature = singleHeader(delivery, 'X-Help-Desk-Signature');
        if (signature === null) return rejectedDelivery('unsigned', 'there is no X-Help-Desk-Signature');
        const secret = signedBy(secrets, delivery.body, signature);
        if (secret === null) return rejectedDelivery('bad_signature', 'no configured secret made this signature');
        const body = jsonOf(delivery.body);
        return body === undefined ? rejectedDelivery('not_json', 'not JSON') : ok({ body, deliveryId: null, secret });
      },
      parts: (body) => {
        const read = payload.safeParse(body).data;
        const orderKey =
          read === undefined ? null : orderKeyOf({ service: 'help_desk', kind: 'ticket', id: read.ticket.id });
        return [{ name: read?.event ?? 'unknown', orderKey, body }];
      },
      read: (part) => {
        const read = payload.safeParse(part).data;
        if (read === undefined) return err({ reason: 'unknown', detail: 'it is no ticket that was opened' });
        const record = { service: 'help_desk', kind: 'ticket', id: read.ticket.id } as const;
        const event: TicketOpened = {
          service: 'help_desk',
          name: read.event,
          record,
          occurredAt: read.at,
          subject: read.ticket.subject,
        };
        return ok(event);
      },
      // A delivery may carry the id only.
      fetch: async (event, call) => {
        if (!('subject' in event) || event.subject !== '') return ok(event);
        const fetched = await call('tickets.get', { id: event.record.id });
        return fetched.ok ? ok({ ...event, subject: subjectOf.parse(fetched.data).subject }) : err(fetched);
      },
    }),
  },
  reactions: [ticketOpened],
  questions: {
    search: (query) => [{ operation: 'tickets.get', input: { id: query }, records: (one) => found([one]) }],
  },
  instructions: { tools: 'help_desk_*', purpose: 'for tickets' },
});
