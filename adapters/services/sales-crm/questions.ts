import { z } from 'zod';
import { idText, recordsOf, stateOf, textOr } from '#adapters/services/answered-records.ts';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import { own } from '#domain/shared/own.ts';

const named = z.looseObject({ name: textOr }).nullish().catch(null);
const found = z.looseObject({
  item: z.looseObject({
    type: z.string(),
    id: idText,
    title: textOr,
    name: textOr,
    status: textOr,
    value: textOr,
    currency: textOr,
    stage: named,
    organization: named,
    emails: z.array(z.string()).catch([]),
    update_time: textOr,
  }),
});

/** The operation that reads a record of each type. */
const reading: Readonly<Record<string, string>> = {
  deal: 'deals.get',
  person: 'persons.get',
  organization: 'organizations.get',
  lead: 'leads.get',
};

/** What the tools over all services ask of a sales CRM. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    {
      operation: 'items.search',
      input: { term: query, item_types: ['deal', 'person', 'organization', 'lead'], limit: Math.min(limit, 100) },
      records: recordsOf(found, ({ item }) => {
        const { type, id, title, name, status, value, currency, stage, organization, emails } = item;
        const operation = own(reading, type);
        return {
          kind: type,
          id,
          title: title ?? name ?? id,
          state: stateOf(status, amount(value, currency), stage?.name, organization?.name, emails[0]),
          time: item.update_time ?? null,
          link: null,
          ...(operation === undefined ? {} : { at: { operation, id } }),
        };
      }),
    },
  ],
};

function amount(value: string | null | undefined, currency: string | null | undefined): string | null {
  return value == null ? null : [value, currency ?? ''].join(' ').trim();
}
