/** A field of a module, as the settings list it. */
export type Field = Readonly<{
  api_name: string;
  data_type:
    | 'text'
    | 'email'
    | 'phone'
    | 'picklist'
    | 'currency'
    | 'integer'
    | 'date'
    | 'datetime'
    | 'lookup'
    | 'textarea';
  isMandatory?: boolean;
  isUnique?: boolean;
  /** The module that a lookup leads to. */
  lookup?: string;
}>;

const text = (api_name: string, more: Partial<Field> = {}): Field => ({ api_name, data_type: 'text', ...more });
const lookup = (api_name: string, to: string): Field => ({ api_name, data_type: 'lookup', lookup: to });
const email: Field = { api_name: 'Email', data_type: 'email', isUnique: true };
const phone: Field = { api_name: 'Phone', data_type: 'phone' };
const pick = (api_name: string): Field => ({ api_name, data_type: 'picklist' });
const amount = (api_name: string): Field => ({ api_name, data_type: 'currency' });
const date = (api_name: string, isMandatory = false): Field => ({ api_name, data_type: 'date', isMandatory });
const must = (api_name: string): Field => text(api_name, { isMandatory: true });

/** The modules that everybody has, with the fields that they are tried with; what is written elsewhere is kept as it comes. */
export const schema: Readonly<Record<string, readonly Field[]>> = {
  Leads: [
    text('First_Name'),
    must('Last_Name'),
    text('Company'),
    email,
    phone,
    pick('Lead_Status'),
    text('City'),
    amount('Annual_Revenue'),
  ],
  Contacts: [text('First_Name'), must('Last_Name'), email, phone, lookup('Account_Name', 'Accounts'), text('Title')],
  Accounts: [must('Account_Name'), phone, text('Website'), pick('Industry'), text('Billing_City')],
  Deals: [
    must('Deal_Name'),
    { ...pick('Stage'), isMandatory: true },
    amount('Amount'),
    date('Closing_Date'),
    pick('Pipeline'),
    lookup('Account_Name', 'Accounts'),
    lookup('Contact_Name', 'Contacts'),
  ],
  Tasks: [must('Subject'), pick('Status'), pick('Priority'), date('Due_Date'), lookup('What_Id', 'Deals')],
  Events: [
    must('Event_Title'),
    { api_name: 'Start_DateTime', data_type: 'datetime' },
    { api_name: 'End_DateTime', data_type: 'datetime' },
  ],
  Calls: [must('Subject'), pick('Call_Type'), { api_name: 'Call_Start_Time', data_type: 'datetime' }],
  Products: [must('Product_Name'), text('Product_Code', { isUnique: true }), amount('Unit_Price')],
  Quotes: [must('Subject'), pick('Quote_Stage'), amount('Grand_Total'), lookup('Deal_Name', 'Deals')],
  Sales_Orders: [must('Subject'), pick('Status'), amount('Grand_Total'), lookup('Account_Name', 'Accounts')],
  Purchase_Orders: [must('Subject'), pick('Status'), amount('Grand_Total'), lookup('Vendor_Name', 'Vendors')],
  Invoices: [must('Subject'), pick('Status'), amount('Grand_Total'), lookup('Account_Name', 'Accounts')],
  Campaigns: [must('Campaign_Name'), pick('Type'), pick('Status'), date('Start_Date')],
  Cases: [must('Subject'), pick('Status'), pick('Case_Origin'), lookup('Account_Name', 'Accounts')],
  Vendors: [must('Vendor_Name'), { ...email, isUnique: false }, phone],
  Notes: [
    text('Note_Title'),
    { api_name: 'Note_Content', data_type: 'textarea', isMandatory: true },
    text('Parent_Id'),
  ],
};

/** What is wrong with a value for a field; null when it fits. Nothing and null always fit. */
export function errorOf(field: Field, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  switch (field.data_type) {
    case 'currency':
      return typeof value === 'number' ? null : 'double';
    case 'integer':
      return Number.isInteger(value) ? null : 'integer';
    case 'email':
      return typeof value === 'string' && /^[^@\s]+@[^@\s]+$/.test(value) ? null : 'email';
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? null : 'date';
    case 'datetime':
      return typeof value === 'string' && /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? null : 'datetime';
    case 'lookup':
      return typeof value === 'object' && 'id' in value ? null : 'jsonobject';
    case 'text':
    case 'phone':
    case 'picklist':
    case 'textarea':
      return field.api_name === 'Parent_Id' || typeof value === 'string' ? null : 'text';
  }
}
