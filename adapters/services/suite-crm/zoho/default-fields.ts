import { own } from '#domain/shared/own.ts';

/**
 * The fields that a list requests when its caller names none, since the provider's lists require them (at most 50). For
 * standard modules by API name; custom modules get only the fields that every module has.
 */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  Leads: ['First_Name', 'Last_Name', 'Company', 'Email', 'Phone', 'Lead_Status', 'Lead_Source', 'Owner', 'Tag'],
  Contacts: ['First_Name', 'Last_Name', 'Account_Name', 'Email', 'Phone', 'Mobile', 'Title', 'Owner', 'Tag'],
  Accounts: ['Account_Name', 'Phone', 'Website', 'Industry', 'Billing_City', 'Owner', 'Tag'],
  Deals: ['Deal_Name', 'Stage', 'Amount', 'Closing_Date', 'Account_Name', 'Contact_Name', 'Pipeline', 'Owner', 'Tag'],
  Tasks: ['Subject', 'Status', 'Priority', 'Due_Date', 'What_Id', 'Who_Id', 'Owner'],
  Events: ['Event_Title', 'Start_DateTime', 'End_DateTime', 'Venue', 'What_Id', 'Who_Id', 'Owner'],
  Calls: ['Subject', 'Call_Type', 'Call_Start_Time', 'Call_Duration', 'What_Id', 'Who_Id', 'Owner'],
  Products: ['Product_Name', 'Product_Code', 'Unit_Price', 'Qty_in_Stock', 'Product_Active', 'Owner', 'Tag'],
  Quotes: ['Subject', 'Quote_Stage', 'Grand_Total', 'Valid_Till', 'Account_Name', 'Deal_Name', 'Owner'],
  Sales_Orders: ['Subject', 'Status', 'Grand_Total', 'Due_Date', 'Account_Name', 'Deal_Name', 'Owner'],
  Purchase_Orders: ['Subject', 'Status', 'Grand_Total', 'PO_Date', 'Vendor_Name', 'Owner'],
  Invoices: ['Subject', 'Status', 'Grand_Total', 'Invoice_Date', 'Due_Date', 'Account_Name', 'Owner'],
  Campaigns: ['Campaign_Name', 'Type', 'Status', 'Start_Date', 'End_Date', 'Owner', 'Tag'],
  Cases: ['Subject', 'Case_Number', 'Status', 'Priority', 'Case_Origin', 'Account_Name', 'Owner'],
  Vendors: ['Vendor_Name', 'Email', 'Phone', 'Category', 'Owner', 'Tag'],
  Notes: ['Note_Title', 'Note_Content', 'Parent_Id', 'Owner'],
  Attachments: ['File_Name', 'Size', 'Parent_Id', 'Owner'],
};

const common = ['id', 'Created_Time', 'Modified_Time'] as const;

/** The default fields of a module, or of a related list with that name. */
export function defaultFields(module: string): readonly string[] {
  const [id, ...times] = common;
  return [id, ...(own(fieldsOf, module) ?? []), ...times];
}

/**
 * Adds fields to the inputs: the caller's, else the module's defaults. Lists by ids or by a custom view do not require
 * them, but get them as well.
 */
export function withFields(
  inputs: Readonly<Record<string, unknown>>,
  module: string,
): Readonly<Record<string, unknown>> {
  const named = inputs['fields'];
  return Array.isArray(named) && named.length > 0 ? inputs : { ...inputs, fields: defaultFields(module) };
}
