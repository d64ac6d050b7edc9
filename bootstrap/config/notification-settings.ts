import { z } from 'zod';
import type { SettingError } from '#infrastructure/config/read-env.ts';
import { commaList } from '#infrastructure/config/setting-types.ts';

/** The maximum length of a signing key, in bytes, and the minimum (Standard Webhooks). */
const keyBytes = { min: 24, max: 64 } as const;

const notifyUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((value) => new URL(value).username === '' && new URL(value).password === '' && new URL(value).hash === '', {
    error: 'must have no user, password or fragment',
  });

const signingKeys = commaList.transform((list, context) => {
  const keys = list.map(keyOf).filter((key) => key !== null);
  if (list.length > 0 && keys.length === list.length) return keys;
  const message = `must be whsec_ and ${keyBytes.min} to ${keyBytes.max} bytes of base64, comma separated if several`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const smtpUrl = z.url({
  protocol: /^smtps?$/,
  error: 'must be smtp://user:password@host:port, or smtps:// for TLS from the first byte',
});

const mailFrom = z.string().regex(/^(?:[^<>@"\r\n]* <[^<>@\s"]+@[^<>@\s"]+>|[^<>@\s"]+@[^<>@\s"]+)$/, {
  error: 'must be an e-mail address, or a name with an address in angle brackets',
});

/** The settings of notifications. Errors quote no value, since addresses may carry secrets. */
export const notificationSettings = {
  NOTIFY_URL: notifyUrl.optional(),
  NOTIFY_SECRET: signingKeys.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
};

/** The settings of which one needs the other. */
const pairs = [
  ['NOTIFY_URL', 'NOTIFY_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const;

/** Returns the errors of settings that are set without the other one of their pair. */
export function notificationErrors(given: Readonly<Record<string, string>>): readonly SettingError[] {
  const isAlone = (variable: string, other: string) => Object.hasOwn(given, variable) && !Object.hasOwn(given, other);
  return pairs.flatMap(([left, right]) => [
    ...(isAlone(left, right) ? [{ variable: right, message: `must be set with ${left}` }] : []),
    ...(isAlone(right, left) ? [{ variable: left, message: `must be set with ${right}` }] : []),
  ]);
}

function keyOf(text: string): Uint8Array | null {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const key = Buffer.from(base64, 'base64');
  const isWhole = key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '');
  return isWhole && key.byteLength >= keyBytes.min && key.byteLength <= keyBytes.max ? key : null;
}
