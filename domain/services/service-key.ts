/**
 * A service's key, used in its routes and columns, and as the permission for its tools: lower-case words joined by
 * underscores ('sales_crm').
 */
export type ServiceKey = string;
