import { withFields } from '#adapters/services/suite-crm/details/default-fields.ts';
import { zohoPaging } from '#adapters/services/suite-crm/details/paging.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** In the provider's own words a list names its fields, and goes on by a token past its first 2000 records. */
const listOf = (nameOf: (inputs: Inputs) => string) => ({
  adapt: (inputs: Inputs) => zohoPaging(withFields(inputs, nameOf(inputs))),
});

/** The own words of a list of the module that is asked for. */
export const listOfModule = listOf((inputs) => String(inputs['module']));

/** The own words of a related list, whose fields are those of the module by its name. */
export const listOfRelated = listOf((inputs) => String(inputs['related_list']));

/** The own words of a list with a name of its own, such as Notes. */
export const listNamed = (name: string) => listOf(() => name);

/** The provider wants the linked record's id in the body as well. */
export function withLinkedId(inputs: Inputs): Inputs {
  const [link = {}] = Array.isArray(inputs['data']) ? inputs['data'] : [];
  return { ...inputs, data: [{ ...link, id: inputs['rid'] }] };
}

/** The provider's e-mails are paged by an index alone. */
export function emailPaging(inputs: Inputs): Inputs {
  const { page: _, ...rest } = zohoPaging(inputs);
  return rest;
}

/** The provider's specification demands `include` of a list of fields. */
export function withPermissions(inputs: Inputs): Inputs {
  return { ...inputs, include: 'allowed_permissions_to_update' };
}

/** The provider's specification wants a tag's id in the path and in the query. */
export function withTagTwice(inputs: Inputs): Inputs {
  return { ...inputs, tag: inputs['id'] };
}
