import { z } from 'zod';
import { integer, oneOf, onOff, url } from '#infrastructure/config/setting-types.ts';

/** The settings of the vault besides its dialect: the notes app to use, or the folder to serve as the team's vault. */
export const vaultSettings = {
  VAULT_URL: url.optional(),
  VAULT_API_KEY: z.string().optional(),
  VAULT_VERIFY_TLS: onOff('on').optional(),
  VAULT_WEEKS: oneOf(['sunday', 'iso']).default('sunday'),
  VAULT_DIR: z.string().optional(),
  VAULT_PORT: integer(1, 65_535).optional(),
};
