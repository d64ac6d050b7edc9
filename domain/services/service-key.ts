/** The keys of the five services, as used in columns, routes, permissions and settings. */
export const serviceKeys = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'] as const;

/** One of the five services. It is also the permission key that gates the service's tools. */
export type ServiceKey = (typeof serviceKeys)[number];

/** The four services that send webhooks; the vault sends none (HOOK-001). */
export const webhookServiceKeys = ['sales_crm', 'signing', 'suite_crm', 'tracker'] as const;

/** One of the four services that send webhooks. */
export type WebhookServiceKey = (typeof webhookServiceKeys)[number];
