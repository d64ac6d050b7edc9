import { listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import {
  byName,
  flag,
  idOf,
  many,
  number,
  ownId,
  part,
  text,
  texts,
} from '#adapters/services/answers/output-members.ts';

/*
 * The main members of the sales CRM's records. Other members follow these: custom fields beside the others, labels,
 * requested counts.
 */

const deal = {
  title: text(),
  status: text(),
  value: number(),
  currency: text(),
  probability: number(),
  expected_close_date: text(),
  close_time: text('When it was won or lost'),
  lost_reason: text(),
  add_time: text(),
  update_time: text(),
  custom_fields: byName(),
  person_id: idOf(),
  org_id: idOf(),
  pipeline_id: idOf(),
  stage_id: idOf(),
  owner_id: idOf(),
  id: ownId(),
};

/** A deal. */
export const oneDeal = recordOf(deal);
/** A page of deals. */
export const manyDeals = pagesOf(deal);

const channels = many({ value: text(), label: text(), primary: flag() });
const person = {
  name: text(),
  emails: channels,
  phones: channels,
  add_time: text(),
  update_time: text(),
  custom_fields: byName(),
  org_id: idOf(),
  owner_id: idOf(),
  id: ownId(),
};

/** A person. */
export const onePerson = recordOf(person);
/** A page of persons. */
export const manyPersons = pagesOf(person);

const place = part({ value: text('All of it') });
const organization = {
  name: text(),
  address: place,
  add_time: text(),
  update_time: text(),
  custom_fields: byName(),
  owner_id: idOf(),
  id: ownId(),
};

/** An organization. */
export const oneOrganization = recordOf(organization);
/** A page of organizations. */
export const manyOrganizations = pagesOf(organization);

const activity = {
  subject: text(),
  type: text(),
  done: flag(),
  due_date: text(),
  due_time: text('UTC'),
  duration: text(),
  location: place,
  note: text('HTML'),
  update_time: text(),
  deal_id: idOf(),
  lead_id: idOf(),
  person_id: idOf(),
  org_id: idOf(),
  owner_id: idOf(),
  id: ownId(),
};

/** An activity. */
export const oneActivity = recordOf(activity);
/** A page of activities. */
export const manyActivities = pagesOf(activity);

const lead = {
  title: text(),
  value: part({ amount: number(), currency: text() }),
  expected_close_date: text(),
  is_archived: flag(),
  add_time: text(),
  update_time: text(),
  person_id: idOf(),
  organization_id: idOf(),
  owner_id: idOf(),
  id: ownId(),
};

/** A lead. */
export const oneLead = recordOf(lead);
/** A page of leads. */
export const manyLeads = pagesOf(lead);

/** A note. */
export const oneNote = recordOf({
  content: text('HTML'),
  add_time: text(),
  deal_id: idOf(),
  lead_id: idOf(),
  person_id: idOf(),
  org_id: idOf(),
  id: ownId(),
});

/** A lead that becomes a deal: its deal where it is known, or the conversion that runs. */
export const oneConversion = recordOf({ deal_id: idOf(), conversion_id: text(), status: text() });

/** A page of pipelines. */
export const manyPipelines = pagesOf({
  name: text(),
  order_nr: number(),
  is_deal_probability_enabled: flag(),
  id: ownId(),
});

/** A page of pipelines, each with its stages. */
export const manyPipelinesWithStages = pagesOf({
  name: text(),
  stages: many({ name: text(), order_nr: number(), deal_probability: number(), id: ownId() }),
  order_nr: number(),
  is_deal_probability_enabled: flag(),
  id: ownId(),
});

/** Goals. */
export const manyGoals = listOf({
  title: text(),
  is_active: flag(),
  type: part({ name: text(), params: byName() }),
  expected_outcome: part({ target: number(), tracking_metric: text('quantity or sum') }),
  interval: text(),
  duration: part({ start: text(), end: text() }),
  assignee: part({ type: text('person, company or team'), id: idOf() }),
  id: ownId(),
});

const named = part({ name: text(), id: ownId() });

/** A page of search results: records of all kinds, each with the fields of its kind. */
export const found = pagesOf({
  item: part({
    type: text(),
    title: text('Of deals and leads'),
    name: text('Of others'),
    status: text(),
    value: number(),
    currency: text(),
    emails: texts(),
    phones: texts(),
    stage: named,
    person: named,
    organization: named,
    id: ownId(),
  }),
  is_related: flag('Not found itself, but related to what was'),
  result_score: number(),
});
