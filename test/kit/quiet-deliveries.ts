import { type Delivery, dealUpdated, delivery, documentEvent, issueEvent, type Sender } from '#test/kit/deliveries.ts';
import type { Kit } from '#test/kit/kit.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A payload of each sender that changes nothing: an event that no reaction waits for. */
export const quiet: Readonly<Record<Sender, () => Fields>> = {
  sales_crm: () => ({
    ...dealUpdated({ id: 1, title: 'Quiet' }),
    event: 'added.note',
    meta: {
      action: 'added',
      object: 'note',
      entity: 'note',
      id: `${Math.random()}`,
      timestamp: new Date().toISOString(),
    },
  }),
  signing: () =>
    documentEvent('recipient_completed', { id: `quiet-${Math.random()}`, name: 'Quiet', status: 'document.sent' }),
  suite_crm: () => ({
    module: 'Leads',
    operation: 'insert',
    ids: ['91'],
    channel_id: '1000000068001',
    server_time: Date.now(),
  }),
  tracker: () => ({ ...issueEvent('update', {}), type: 'Comment', data: { id: 'comment', body: `${Math.random()}` } }),
};

/** The senders of deliveries. */
export const all: readonly Sender[] = ['sales_crm', 'signing', 'suite_crm', 'tracker'];
/** The senders that sign deliveries. */
export const signing: readonly Sender[] = ['sales_crm', 'signing', 'tracker'];
/** A genuine delivery that changes nothing. */
export const good = (kit: Kit, service: Sender): Delivery => delivery(kit, service, quiet[service]());
