import type { Prompt, PromptArgument } from '#adapters/mcp/prompts/prompt.ts';
import type { PromptNames } from '#adapters/mcp/prompts/record-names.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';

const user = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;
const argument = (name: string, title: string, description: string, required: boolean): PromptArgument => ({
  name,
  title,
  description,
  required,
});

const noteTemplate = 'vault://{+path}';

/** The days that a follow-up usually waits for. */
const usualDays = ['3', '7', '14', '30', '60', '90'];

/** The prompts for tasks across several services. `notes` completes note paths; null when there is no vault. */
export function workPrompts(notes: ResourceSource | null, { deals, focus: focuses }: PromptNames): readonly Prompt[] {
  return [
    {
      name: 'deal_briefing',
      title: 'Deal briefing',
      description: 'All that is known of a deal on one page: the CRM, its contracts, and your own notes',
      arguments: [
        argument('deal', 'Deal', 'Name or id of the deal', true),
        argument('note', 'Note', 'Path of the note to add the briefing to; without it, it is only shown', false),
      ],
      needs: ['sales_crm', 'vault'],
      complete: async (context, name, typed) =>
        name === 'note' ? ((await notes?.complete(context, noteTemplate, typed)) ?? []) : deals(context, typed),
      messages: ({ deal, note }) => [
        user(
          `Prepare a briefing on the deal "${deal}".
1. Find it with sales_crm_search and read it with sales_crm_deal_get; then its people, its organisation and its open activities.
2. Look for its contracts with signing_documents_list, for its issues with tracker_issues_list, and for its company with suite_search, if you have those tools, and give the status of each.
3. Look for notes on it with vault_search, and read those that matter.
4. Write one page: its status, who decides, what was agreed, what is open, the next step. Say where each fact is from; say what you could not find.
${note === undefined ? 'Show it here; change nothing.' : `Put it under a heading "Briefing" of the note ${note} with vault_note_patch, and leave the rest of the note as it is.`}`,
        ),
      ],
    },
    {
      name: 'contract_follow_up',
      title: 'Contract follow-up',
      description: 'Which contracts are waiting for whom, with a friendly reminder for each',
      arguments: [argument('days', 'Days', 'Days without activity after which a contract counts; 7 by default', false)],
      needs: ['signing'],
      complete: async (_, __, typed) => usualDays.filter((days) => days.startsWith(typed)),
      messages: ({ days = '7' }) => [
        user(
          `Find the contracts that are waiting for a signature.
1. List documents with signing_documents_list that were sent or viewed and are not completed. Go through all pages.
2. Read the details of those without activity for ${days} days with signing_document_details: who has not signed, since when.
3. For each, look for its deal with sales_crm_search and for its note with vault_search, if you have those tools.
4. Show a table (contract, waits for, days, value), then a short, friendly reminder for each person, in the language of the contract.
Send nothing and change nothing before I have read it.`,
        ),
      ],
    },
    {
      name: 'weekly_review',
      title: 'Weekly review',
      description: 'Adds what happened this week in deals, contracts and issues to your weekly note',
      arguments: [argument('focus', 'Focus', 'What to look at first, such as a team or a customer', false)],
      needs: ['vault'],
      complete: (context, _, typed) => focuses(context, typed),
      messages: ({ focus }) => [
        user(
          `Prepare my weekly review${focus === undefined ? '' : `, with ${focus} first`}.
1. Read this week's note with vault_periodic_read (period weekly) and the daily notes of the week.
2. Use those services that you have tools for: deals changed this week (sales_crm_deals_list), contracts with activity (signing_documents_list), issues finished and issues stuck (tracker_issues_list).
3. Write: done, moved, stuck, next week. One line for each item, with the id or path of its source.
4. Show it. When I agree, append it to the weekly note with vault_periodic_write.`,
        ),
      ],
    },
  ];
}
