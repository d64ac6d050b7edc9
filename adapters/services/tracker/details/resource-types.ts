import { own } from '#domain/shared/own.ts';

/** What events can be about, and the vendor's words for it. */
export const linearResourceTypes: Readonly<Record<string, string>> = {
  Issues: 'Issue',
  'Issue comments': 'Comment',
  'Issue attachments': 'Attachment',
  'Issue labels': 'IssueLabel',
  'Comment reactions': 'Reaction',
  Projects: 'Project',
  'Project updates': 'ProjectUpdate',
  Documents: 'Document',
  Initiatives: 'Initiative',
  'Initiative updates': 'InitiativeUpdate',
  Cycles: 'Cycle',
  Customers: 'Customer',
  'Customer requests': 'CustomerNeed',
  Users: 'User',
  'Issue SLA': 'IssueSLA',
};

/** The inputs of a webhook with the provider's words for resource types; words that are the provider's already stay. */
export function withLinearResourceTypes(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const types = inputs['resourceTypes'];
  if (!Array.isArray(types)) return inputs;
  return { ...inputs, resourceTypes: types.map((type) => own(linearResourceTypes, String(type)) ?? type) };
}
