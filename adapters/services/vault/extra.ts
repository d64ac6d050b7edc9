import { z } from 'zod';
import { givenAddressError } from '#adapters/services/requests/given-address.ts';

const pattern = z
  .string()
  .max(200)
  .refine((value) => !value.startsWith('/') && !value.split('/').includes('..') && value.endsWith('.md'), {
    error: 'must be a path inside the vault that ends in .md',
  });

/**
 * What the vault stores in `extra` (VAULT-007): its address, and whether its certificate is verified. Also the trusted
 * certificate (PEM) with its SHA-256 fingerprint, and the paths of periodic notes, such as
 * "Journal/{YYYY}-{MM}-{DD}.md". Accepts stored values from before addresses were validated as they are now.
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

/** What a user may enter: an address with only a host, a port and a path. */
export const givenVaultExtra = vaultExtra.extend({
  base_url: z
    .string({ error: 'must be an address such as https://notes.example:27124' })
    .transform((address) => address.trim())
    .superRefine((address, context) => {
      const error = givenAddressError(address);
      if (error !== null) context.addIssue({ code: 'custom', message: error });
    }),
});
