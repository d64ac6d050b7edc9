/**
 * A service's key: lower-case words joined by underscores ('sales_crm'). It is the word of its routes and columns, and the permission
 * that gates its tools.
 */
export type ServiceKey = string;

/** What the house has to know of a service to have it in its lists. */
export type ListedService = Readonly<{ key: ServiceKey; sendsWebhooks: boolean }>;

const keys: ServiceKey[] = [];
const webhookKeys: ServiceKey[] = [];

/** The services of this program by their keys, in the order in which people see them. Filled once at start, by `listServices`. */
export const serviceKeys: readonly ServiceKey[] = keys;

/** Those of them that send webhooks. */
export const webhookServiceKeys: readonly ServiceKey[] = webhookKeys;

/** Lists services; those that are listed already stay where they are. Called at start, before anything is built. */
export function listServices(services: readonly ListedService[]): void {
  for (const { key, sendsWebhooks } of services) {
    if (!keys.includes(key)) keys.push(key);
    if (sendsWebhooks && !webhookKeys.includes(key)) webhookKeys.push(key);
  }
}
