import { z } from 'zod';

/** One label of a host name, as used for a company in its address. */
export const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const host = /^https:\/\/([a-z0-9-]{1,63})\.pipedrive\.com\/?$/i;
const kept = z.object({ company_domain: z.string().regex(hostLabel) });
const given = z.object({
  company_domain: z.string().regex(hostLabel).nullish().catch(null),
  api_domain: z.string().nullish().catch(null),
});

/** The `company_domain` in a connection's `extra`; null when it is missing or not a valid host label. */
export function companyDomainOf(extra: Readonly<Record<string, unknown>>): string | null {
  const parsed = kept.safeParse(extra);
  return parsed.success ? parsed.data.company_domain : null;
}

/**
 * The `company_domain` in a token response, under its name or in the provider's `api_domain`
 * (`https://acme.pipedrive.com`).
 */
export function companyDomainIn(body: unknown): string | null {
  const parsed = given.safeParse(body);
  if (!parsed.success) return null;
  const { company_domain: name, api_domain: address } = parsed.data;
  return name ?? host.exec(address ?? '')?.[1] ?? null;
}
