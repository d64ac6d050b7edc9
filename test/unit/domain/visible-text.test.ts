import { expect, it } from 'vitest';
import { visibleText } from '#domain/shared/visible-text.ts';

it.each([
  ['a bidirectional override', 'a\u202eb\u2069', 'a\\u202eb\\u2069'],
  ['what has no width', 'a\u200bb\u2060c\ufeffd\u00ade', 'a\\u200bb\\u2060c\\ufeffd\\u00ade'],
  ['a sequence for a terminal', '\u001b[2J\u009b1m\u0007\0', '\\u001b[2J\\u009b1m\\u0007\\u0000'],
  ['a carriage return alone', 'good\rbad\r\n', 'good\\u000dbad\r\n'],
  ['tags and fillers', 'a\u{e0041}\u3164\u115f', 'a\\u{e0041}\\u3164\\u115f'],
  ['separators of lines', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
  ['half a character', 'a\ud800b', 'a\\ud800b'],
  ['joiners without an emoji', 'pay\u200dpal\ufe0f', 'pay\\u200dpal\\ufe0f'],
  ['more than belongs to an emoji', '\u2764\ufe0f\ufe0f\u200d', '\u2764\ufe0f\\ufe0f\\u200d'],
])('%s is made visible (PAGE-024)', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it.each(['Grüße, 東京\n\tمرحبا', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f \u{1f44d}\u{1f3fd}'])(
  '%s is left unchanged (PAGE-024)',
  (text) => {
    expect(visibleText(text)).toBe(text);
  },
);
