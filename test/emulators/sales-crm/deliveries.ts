import { createHmac, randomUUID } from 'node:crypto';
import type { DialectName } from '#test/emulators/sales-crm/answers.ts';
import type { Change, CrmRecord } from '#test/emulators/sales-crm/records.ts';

/** A webhook that was registered. */
export type Webhook = Readonly<{
  id: number;
  url: string;
  action: string;
  object: string;
  user: string | null;
  password: string | null;
  isActive: boolean;
}>;

/** What is sent for one event. */
export type Delivery = Readonly<{ event: string; headers: Readonly<Record<string, string>>; body: string }>;

const company = { host: 'acme.pipedrive.com', id: 8_087_566, userId: 1 } as const;

/** The deliveries of a change to one webhook: none when the webhook is not subscribed to it. Vendor: a merge is two deliveries. */
export function deliveriesOf(
  change: Change,
  webhook: Webhook,
  dialect: DialectName,
  secret: string,
): readonly Delivery[] {
  return dialect === 'neutral' ? neutralDeliveries(change, webhook, secret) : pipedriveDeliveries(change, webhook);
}

/** `updated.deal` and its like, signed with the app's client secret over the bytes of the body. */
function neutralDeliveries(change: Change, webhook: Webhook, secret: string): readonly Delivery[] {
  const { action, kind, id, current, previous } = change;
  if (!listens(webhook, action, kind)) return [];
  const now = Date.now();
  const body = JSON.stringify({
    v: 1,
    event: `${action}.${kind}`,
    meta: {
      v: 1,
      action,
      object: kind,
      id: plainId(id),
      company_id: company.id,
      user_id: company.userId,
      timestamp: Math.floor(now / 1000),
      timestamp_micro: now * 1000,
      webhook_id: String(webhook.id),
      ...(change.mergedWith === null ? {} : { merged_id: plainId(change.mergedWith) }),
    },
    current,
    previous,
    retry: 0,
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return [{ event: `${action}.${kind}`, headers: { 'X-SalesCrm-Signature': signature }, body }];
}

/** v2 payloads, unsigned, with the HTTP Basic that the webhook was registered with. */
function pipedriveDeliveries(change: Change, webhook: Webhook): readonly Delivery[] {
  return ownEvents(change)
    .filter(({ action }) => listens(webhook, action, change.kind))
    .map(({ action, id, data, previous, extra }) => {
      const body = JSON.stringify({
        data,
        previous,
        meta: {
          action,
          entity: change.kind,
          entity_id: id,
          company_id: String(company.id),
          user_id: String(company.userId),
          correlation_id: randomUUID(),
          id: randomUUID(),
          is_bulk_edit: false,
          timestamp: new Date().toISOString(),
          type: 'general',
          version: '2.0',
          webhook_id: String(webhook.id),
          webhook_owner_id: '1',
          change_source: 'app',
          permitted_user_ids: [String(company.userId)],
          attempt: 1,
          host: company.host,
          ...extra,
        },
      });
      const basic = Buffer.from(`${webhook.user ?? ''}:${webhook.password ?? ''}`).toString('base64');
      const headers: Record<string, string> = webhook.user === null ? {} : { Authorization: `Basic ${basic}` };
      return { event: `${action}.${change.kind}`, headers, body };
    });
}

type OwnEvent = Readonly<{
  action: 'create' | 'change' | 'delete';
  id: string;
  data: unknown;
  previous: unknown;
  extra: Readonly<Record<string, unknown>>;
}>;

function ownEvents({ action, id, current, previous, mergedWith }: Change): readonly OwnEvent[] {
  const data = current === null ? null : typedCustomFields(current);
  if (action === 'added') return [{ action: 'create', id, data, previous: null, extra: {} }];
  if (action === 'deleted') return [{ action: 'delete', id, data: null, previous, extra: {} }];
  if (action === 'merged') {
    return [
      { action: 'delete', id: mergedWith ?? '', data: null, previous, extra: { merged_to_id: id } },
      { action: 'change', id, data, previous: {}, extra: { merged_from_id: mergedWith } },
    ];
  }
  const changed = Object.entries(previous ?? {}).filter(([name, value]) => !same(value, current?.[name]));
  return [{ action: 'change', id, data, previous: Object.fromEntries(changed), extra: {} }];
}

/** v2 payloads contain the type of each custom field. */
function typedCustomFields(record: CrmRecord): CrmRecord {
  const fields: unknown = record['custom_fields'];
  if (typeof fields !== 'object' || fields === null) return record;
  const typed = Object.entries(fields).map(([key, value]) => [key, { type: 'varchar', value }]);
  return { ...record, custom_fields: Object.fromEntries(typed) };
}

function listens({ action, object }: Webhook, happened: string, kind: string): boolean {
  return (action === '*' || action === happened) && (object === '*' || object === kind);
}

function plainId(id: string): string | number {
  return /^\d+$/.test(id) ? Number(id) : id;
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
