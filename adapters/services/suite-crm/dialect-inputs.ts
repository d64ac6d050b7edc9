import { withFields } from '#adapters/services/suite-crm/details/default-fields.ts';
import { zohoPaging } from '#adapters/services/suite-crm/details/paging.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** Adapts a list to the provider: it names its fields, and continues by a token after its first 2000 records. */
const listOf = (nameOf: (inputs: Inputs) => string) => ({
  adapt: (inputs: Inputs) => zohoPaging(withFields(inputs, nameOf(inputs))),
});

/** Adapts a list of the requested module. */
export const listOfModule = listOf((inputs) => String(inputs['module']));

/** Adapts a related list, with the default fields of the module with its name. */
export const listOfRelated = listOf((inputs) => String(inputs['related_list']));

/** Adapts a list with a fixed name, such as Notes. */
export const listNamed = (name: string) => listOf(() => name);

/** Repeats the linked record's id in the body, as the provider requires. */
export function withLinkedId(inputs: Inputs): Inputs {
  const [link = {}] = Array.isArray(inputs['data']) ? inputs['data'] : [];
  return { ...inputs, data: [{ ...link, id: inputs['rid'] }] };
}

/** Adapts the paging of e-mails, which use only an index. */
export function emailPaging(inputs: Inputs): Inputs {
  const { page: _, ...rest } = zohoPaging(inputs);
  return rest;
}

/** Adds `include` to a list of fields, as the provider's specification requires. */
export function withPermissions(inputs: Inputs): Inputs {
  return { ...inputs, include: 'allowed_permissions_to_update' };
}

/** Sends a tag's id in both path and query, as the provider's specification requires. */
export function withTagTwice(inputs: Inputs): Inputs {
  return { ...inputs, tag: inputs['id'] };
}
