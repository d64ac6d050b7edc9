import type { Service } from '#adapters/services/definitions/service.ts';

/** Settings that are secret, or may carry one: addresses with a password in them. */
const named = new Set([
  'SECRET_KEY_BASE',
  'SECRET_KEY_BASE_PREVIOUS',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'NOTIFY_URL',
  'SMTP_URL',
]);

/** Returns those of the settings' names that may be given by a file, whose path `{NAME}_FILE` is (CONF-014). */
export function secretSettings(names: readonly string[], services: readonly Service[] = []): readonly string[] {
  const tails = services.flatMap(({ prefix, webhookSecret }) =>
    webhookSecret === null ? [] : [{ prefix, tail: webhookSecret.slice(prefix.length) }],
  );
  return names.filter(
    (name) =>
      named.has(name) ||
      /_(?:SECRET|TOKEN|KEY|PASSWORD)$/.test(name) ||
      tails.some(({ prefix, tail }) => name.startsWith(prefix) && name.endsWith(tail)),
  );
}
