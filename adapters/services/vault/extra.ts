import { z } from 'zod';
import { givenAddressError } from '#adapters/services/given-address.ts';

const pattern = z
  .string()
  .max(200)
  .refine((value) => !value.startsWith('/') && !value.split('/').includes('..') && value.endsWith('.md'), {
    error: 'must be a path inside the vault that ends in .md',
  });

/**
 * What the vault keeps in `extra` (VAULT-007): where it is, and whether its certificate is checked.
 * Besides, the certificate that is trusted (PEM) with its SHA-256 fingerprint, and where periodic notes are kept,
 * as paths such as "Journal/{YYYY}-{MM}-{DD}.md". Also reads what was kept before addresses were checked as they are now.
 */
export const vaultExtra = z.object({
  base_url: z.url({ protocol: /^https?$/ }),
  verify_ssl: z.boolean().default(true),
  certificate: z.string().max(65_536).optional(),
  certificate_sha256: z.string().max(200).optional(),
  periodic: z
    .object({ daily: pattern, weekly: pattern, monthly: pattern, quarterly: pattern, yearly: pattern })
    .partial()
    .optional(),
});

/** What a user may give of it: an address with nothing but a host, a port and a path. */
export const givenVaultExtra = vaultExtra.extend({
  base_url: z
    .string({ error: 'must be an address such as https://notes.example:27124' })
    .transform((address) => address.trim())
    .superRefine((address, context) => {
      const error = givenAddressError(address);
      if (error !== null) context.addIssue({ code: 'custom', message: error });
    }),
});
