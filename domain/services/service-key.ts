/**
 * A service's key, as used in its routes and columns, and as the permission that gates its tools: lower-case words
 * joined by underscores ('sales_crm').
 */
export type ServiceKey = string;
