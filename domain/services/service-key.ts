/**
 * A service's key, as used in its routes and columns, and as the permission that gates its tools: lower-case words
 * joined by underscores ('sales_crm').
 */
export type ServiceKey = string;

/** The facts that list a service: its key, and whether it sends webhooks. */
export type ListedService = Readonly<{ key: ServiceKey; sendsWebhooks: boolean }>;

const keys: ServiceKey[] = [];
const webhookKeys: ServiceKey[] = [];

/**
 * The keys of this program's services, in the order in which people see them. Filled once at start, by `listServices`.
 */
export const serviceKeys: readonly ServiceKey[] = keys;

/** The keys of the services that send webhooks. */
export const webhookServiceKeys: readonly ServiceKey[] = webhookKeys;

/** Adds services to the lists; those listed already keep their place. Called at start, before anything is built. */
export function listServices(services: readonly ListedService[]): void {
  for (const { key, sendsWebhooks } of services) {
    if (!keys.includes(key)) keys.push(key);
    if (sendsWebhooks && !webhookKeys.includes(key)) webhookKeys.push(key);
  }
}
