import { zohoPaging } from '#adapters/services/suite-crm/details/paging.ts';
import { withFields } from '#adapters/services/suite-crm/zoho/default-fields.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** Adapts a list to the provider: it names its fields, and continues by a token after its first 2000 records. */
const listOf = (nameOf: (inputs: Inputs) => string) => ({
  adapt: (inputs: Inputs) => zohoPaging(withFields(inputs, nameOf(inputs))),
});

/** Adapts a list of the requested module. */
const listOfModule = listOf((inputs) => String(inputs['module']));

/** Adapts a related list, with the default fields of the module with its name. */
const listOfRelated = listOf((inputs) => String(inputs['related_list']));

/** Adapts a list with a fixed name, such as Notes. */
const listNamed = (name: string) => listOf(() => name);

/** Repeats the linked record's id in the body, as the provider requires. */
function withLinkedId(inputs: Inputs): Inputs {
  const [link = {}] = Array.isArray(inputs['data']) ? inputs['data'] : [];
  return { ...inputs, data: [{ ...link, id: inputs['rid'] }] };
}

/** Adapts the paging of e-mails, which use only an index. */
function emailPaging(inputs: Inputs): Inputs {
  const { page: _, ...rest } = zohoPaging(inputs);
  return rest;
}

/** Adds `include` to a list of fields, as the provider's specification requires. */
function withPermissions(inputs: Inputs): Inputs {
  return { ...inputs, include: 'allowed_permissions_to_update' };
}

/** Sends a tag's id in both path and query, as the provider's specification requires. */
function withTagTwice(inputs: Inputs): Inputs {
  return { ...inputs, tag: inputs['id'] };
}

/** The requests in which Zoho differs, by operation. */
export const requests = {
  'records.list': listOfModule,
  'records.search': { adapt: zohoPaging },
  'records.deleted': { adapt: zohoPaging },
  'related.list': listOfRelated,
  'related.link': { adapt: withLinkedId },
  'notes.create': { path: '/crm/v8/Notes' },
  'notes.list': { path: '/crm/v8/{module}/{id}/Notes', ...listNamed('Notes') },
  'attachments.upload': { path: '/crm/v8/{module}/{id}/Attachments' },
  'attachments.list': { path: '/crm/v8/{module}/{id}/Attachments', ...listNamed('Attachments') },
  'attachments.download': { path: '/crm/v8/{module}/{id}/Attachments/{attachment_id}' },
  'tags.update': { path: '/crm/v8/settings/tags/{tag}', adapt: withTagTwice },
  'leads.convert': { path: '/crm/v8/Leads/{id}/actions/convert' },
  'emails.send': { path: '/crm/v8/{module}/{id}/actions/send_mail' },
  'emails.list': { path: '/crm/v8/{module}/{id}/Emails', adapt: emailPaging },
  'bulk.create': { path: '/crm/bulk/v8/read' },
  'bulk.get': { path: '/crm/bulk/v8/read/{job_id}' },
  'bulk.packed': { path: '/crm/bulk/v8/read/{job_id}/result' },
  'users.list': { adapt: zohoPaging },
  'organization.get': { path: '/crm/v8/org' },
  'modules.list': { path: '/crm/v8/settings/modules' },
  'modules.fields': { path: '/crm/v8/settings/fields', adapt: withPermissions },
  'watch.list': { adapt: zohoPaging },
} as const;
