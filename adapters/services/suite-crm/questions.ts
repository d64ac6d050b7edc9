import { z } from 'zod';
import { idText, recordsOf, stateOf, textOr } from '#adapters/services/answered-records.ts';
import type { operations } from '#adapters/services/suite-crm/operations.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';

const record = z.looseObject({
  id: idText,
  Deal_Name: textOr,
  Full_Name: textOr,
  Last_Name: textOr,
  Account_Name: z
    .union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)])
    .nullish()
    .catch(null),
  Company: textOr,
  Stage: textOr,
  Amount: textOr,
  Email: textOr,
  Modified_Time: textOr,
});

/** The modules that are searched, and the neutral kind of their records. */
const modules = { Accounts: 'organization', Contacts: 'person', Deals: 'deal', Leads: 'lead' } as const;

/** What the tools over all services ask of a suite CRM: a search per module, since none goes over all. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => {
    const per_page = Math.min(limit, 100);
    const isMail = query.includes('@') && !query.includes(' ');
    return Object.entries(modules).flatMap(([module, kind]) =>
      isMail && (module === 'Accounts' || module === 'Deals')
        ? []
        : [
            {
              operation: 'records.search',
              input: { module, ...(isMail ? { email: query } : { word: query }), per_page },
              records: recordsOf(record, (one) => {
                const { id, Deal_Name: deal, Full_Name: person, Last_Name: last, Account_Name: account } = one;
                return {
                  kind,
                  id,
                  title: deal ?? person ?? last ?? account ?? id,
                  state: stateOf(one.Stage, one.Amount, one.Email, module === 'Accounts' ? null : account, one.Company),
                  time: one.Modified_Time ?? null,
                  link: null,
                  at: { operation: 'records.get', id: `${module}/${id}` },
                };
              }),
            } as const,
          ],
    );
  },
};
