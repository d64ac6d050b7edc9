/** A character that shows nothing, or changes the order of the others; but tabs and line breaks. */
const unseen = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** An emoji with the unseen characters that belong to it. */
const emoji =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)*/u;
const replaced = new RegExp(`(${emoji.source})|${unseen.source}`, 'gu');

/**
 * Writes control, bidirectional and invisible characters as escapes such as \u202e, so that nobody takes a text for
 * another. Tabs, line breaks and emoji stay.
 */
export function visibleText(text: string): string {
  if (!unseen.test(text)) return text;
  return text.replace(replaced, (found: string, kept: string | undefined) => kept ?? escaped(found));
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
