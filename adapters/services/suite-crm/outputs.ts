import { listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import { anything, byName, flag, many, number, ownId, part, text } from '#adapters/services/answers/output-members.ts';

const named = { name: text(), id: ownId() };

/**
 * The members of a record of any module: the names that standard modules use, its state and its owner. References to
 * other records (such as a deal's account) are objects, so such members are untyped.
 */
const record = {
  Deal_Name: anything(),
  Full_Name: text(),
  Company: text(),
  Account_Name: anything('Text in Accounts, {name, id} elsewhere'),
  Subject: text(),
  Stage: text(),
  Status: text(),
  Amount: number(),
  Closing_Date: text(),
  Due_Date: text(),
  Email: text(),
  Phone: text(),
  Owner: part(named),
  Modified_Time: text(),
  id: ownId(),
};

/** A record of any module. */
export const oneRecord = recordOf(record);

/** Records of one module. */
export const recordPages = pagesOf(record);

/** The columns that a query selects. */
export const selected = pagesOf({});

const change = { Modified_Time: text(), Created_Time: text(), id: ownId('Of the record') };

/** The result of a write for one record. */
export const changed = recordOf(change);

const result = {
  status: text('"success" or "error"'),
  message: text(),
  code: text(),
  details: part({ api_name: text('The field with the error'), id: ownId('Of the record') }),
};

/** The results of a write, record by record, in the order given. */
export const results = listOf(result);

/** The results of an upsert, record by record. */
export const upserted = listOf({ ...result, action: text('"insert" or "update"'), duplicate_field: text() });

/** The record that was deleted, or removed from a list. */
export const gone = recordOf({ id: ownId() });

/** Deleted records. */
export const deletedPages = pagesOf({
  display_name: text(),
  type: text('"recycle": in the recycle bin; "permanent": deleted for good'),
  deleted_time: text(),
  deleted_by: part(named),
  id: ownId(),
});

/** The records that a lead was converted to. */
export const conversionOutcome = recordOf({
  Contacts: part(named),
  Accounts: part(named),
  Deals: part(named, 'Null if no deal was requested'),
});

/** Notes at a record. */
export const notePages = pagesOf({
  Note_Title: text(),
  Note_Content: text(),
  Created_Time: text(),
  Modified_Time: text(),
  Owner: part(named),
  id: ownId(),
});

/** Files at a record. */
export const attachmentPages = pagesOf({
  File_Name: text(),
  Size: anything('Bytes'),
  Created_Time: text(),
  Owner: part(named),
  id: ownId('For the download'),
});

/** The tags of a record after a change. */
export const tagsOfRecord = recordOf({ tags: many(anything(), 'All that it has now'), id: ownId('Of the record') });

const tag = { name: text(), color_code: text('As #rrggbb'), id: ownId() };

/** The tags of a module. */
export const tagPages = pagesOf(tag);

/** A tag. */
export const oneTag = recordOf(tag);

/** An e-mail that was sent. */
export const sentMail = recordOf({ message_id: text() });

/** The e-mails of a record. */
export const mailPages = pagesOf({
  subject: text(),
  from: part({ user_name: text(), email: text() }),
  to: many({ user_name: text(), email: text() }),
  message_id: text(),
});

/** An export job. */
export const job = recordOf({
  state: text('ADDED, QUEUED, IN PROGRESS, COMPLETED or FAILURE'),
  result: part({ count: number('Records'), page: number(), more_records: flag() }),
  created_time: text(),
  id: ownId('For the result'),
});

/** Users of the CRM. */
export const userPages = pagesOf({
  full_name: text(),
  email: text(),
  status: text(),
  role: part({ name: text() }),
  profile: part({ name: text() }),
  id: ownId(),
});

/** The organization. */
export const organization = recordOf({ company_name: text(), country_code: text(), time_zone: text(), id: ownId() });

/** The modules. */
export const modules = listOf({
  plural_label: text(),
  api_name: text('The `module` of other tools'),
  status: text(),
  api_supported: flag('Whether its records can be read and written here'),
  id: ownId(),
});

/** The fields of a module. */
export const moduleFields = listOf({
  field_label: text(),
  api_name: text(),
  data_type: text(),
  system_mandatory: flag(),
  read_only: flag(),
  length: number(),
  unique: byName('Empty when it need not be unique'),
  lookup: part({ module: anything('The module that it points to') }),
  pick_list_values: many({ display_value: text(), actual_value: text('What is written') }),
  id: ownId(),
});

/** Roles or profiles. */
export const namedList = listOf({ ...named, display_label: text() });

/** Notification channels. */
export const channelPages = pagesOf({
  resource_name: text(),
  events: anything(),
  notify_url: text(),
  channel_expiry: text(),
  channel_id: ownId(),
});
