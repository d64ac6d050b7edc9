import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';

/** The salts for deriving the key of each kind of stored secret. Released values must never change. */
const salts = {
  tokens: 'outbound tokens',
  inbox: 'webhook inbox',
  transients: 'clients and connects',
  messages: 'server messages',
  webhookKeys: 'webhook keys',
  changes: 'changes and approvals',
  entered: 'provider settings',
  remote: 'remote servers',
} as const;

/** Returns the encryption of one kind of stored secret; the first secret encrypts, all decrypt. */
export function boxFor(kind: keyof typeof salts, secrets: readonly string[]): AesGcmBox {
  return new AesGcmBox(secrets.map((secret) => deriveKey(secret, salts[kind])));
}
