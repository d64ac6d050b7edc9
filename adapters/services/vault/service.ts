import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import { vaultKind } from '#adapters/services/vault/kind.ts';
import { neutral } from '#adapters/services/vault/neutral/vendor.ts';
import { obsidian } from '#adapters/services/vault/obsidian/vendor.ts';

/** The vault, and its vendors. */
export const vault = serviceOf(vaultKind, [neutral, obsidian]);
