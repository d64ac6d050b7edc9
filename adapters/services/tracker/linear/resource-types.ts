import { own } from '#domain/shared/own.ts';

/** The resource types of events, and the vendor's terms for them. */
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

/**
 * Converts the resource types of a webhook's inputs to the provider's terms; terms that are already the provider's are
 * unchanged.
 */
export function withLinearResourceTypes(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const types = inputs['resourceTypes'];
  if (!Array.isArray(types)) return inputs;
  return { ...inputs, resourceTypes: types.map((type) => own(linearResourceTypes, String(type)) ?? type) };
}
