import type { Deal, Organization, Person } from '#domain/events/sales-crm-event.ts';
import type { SigningDocument } from '#domain/events/signing-event.ts';
import type { Issue } from '#domain/events/tracker-event.ts';

/** Returns the names of a type's members; a missing or unknown name does not compile. */
const members = <Type>(all: Readonly<Record<keyof Type, true>>): readonly string[] => Object.keys(all);

/**
 * The record fields that this server parses, by service and kind, under the names that reactions use. Other fields are
 * available as the service sends them.
 */
export const eventFields: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  sales_crm: {
    deal: members<Deal>({ id: true, title: true, status: true, value: true, currency: true }),
    person: members<Person>({
      id: true,
      name: true,
      firstName: true,
      lastName: true,
      emails: true,
      phones: true,
      organizationId: true,
    }),
    organization: members<Organization>({ id: true, name: true, address: true, website: true }),
  },
  signing: { document: members<SigningDocument>({ id: true, name: true, status: true }) },
  tracker: {
    issue: members<Issue>({
      id: true,
      identifier: true,
      title: true,
      description: true,
      url: true,
      project: true,
      assignee: true,
      priority: true,
      priorityName: true,
      state: true,
      labels: true,
    }),
  },
};
