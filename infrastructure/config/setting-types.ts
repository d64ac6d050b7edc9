import { z } from 'zod';
import { isAddressRange } from '#infrastructure/http/address-ranges.ts';

/** A switch, `on` or `off`, parsed to a boolean. */
export const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { error: (issue) => `must be on or off, not "${String(issue.input)}"` })
    .default(fallback)
    .transform((value) => value === 'on');

/** An http or https URL, without a trailing slash. */
export const url = z
  .url({ protocol: /^https?$/, error: (issue) => `must be an http or https address, not "${String(issue.input)}"` })
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''));

/** A comma-separated list; values are trimmed, and empty ones dropped. */
export const commaList = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** A comma-separated list of at least one IP address or range. */
export const addresses = commaList.superRefine((list, context) => {
  const wrong = list.filter((entry) => !isAddressRange(entry));
  if (list.length > 0 && wrong.length === 0) return;
  const not = wrong.length === 0 ? 'not nothing' : `not "${wrong.join('", "')}"`;
  const message = `must be IP addresses or ranges such as 203.0.113.0/24 or 2001:db8::/32, comma separated, ${not}`;
  context.addIssue({ code: 'custom', message });
});

/** An integer from `min` to `max`. */
export const integer = (min: number, max: number) =>
  z.string().transform((value, context) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}, not "${value}"` });
    return z.NEVER;
  });

/** One of a few words; the error lists them. */
export const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, { error: (issue) => `must be ${wordList(words)}, not "${String(issue.input)}"` });

/** Formats words as 'a, b or c'. */
export function wordList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
