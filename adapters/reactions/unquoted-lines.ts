/** The keys of a reaction whose values are texts on one line, and which of them may be a list as well. */
const textKeys = /^(when|if|note|under|once):[ \t]+(.*?)[ \t]*(\r?)$/gm;

/** How a value begins that goes on in further lines. */
const goesOn = /^(?:[|>]|\[(?!.*\])|\{(?!\{)(?!.*\}))/;

/**
 * Quotes the texts of a reaction that people write as they are and YAML reads otherwise: with a colon and a blank inside,
 * with `{{` or a sign of YAML at the start. The rest of such a line is the text, without a comment behind it. Lines stay
 * where they are; `isText` says of a line, `key: value`, whether YAML reads it as a text already.
 */
export function withQuotedLines(yaml: string, isText: (line: string) => boolean): string {
  return yaml.replace(textKeys, (line, key: string, rest: string, end: string) => {
    if (goesOn.test(rest) || isText(line.trimEnd()) || (key === 'when' && /^[[{"']/.test(rest))) return line;
    const text = withoutComment(rest);
    return text === '' ? line : `${key}: ${JSON.stringify(text)}${end}`;
  });
}

const quotedOrFilled = /"[^"]*"|'[^']*'|\{\{.*?\}\}/y;

/** Cuts off a comment: a number sign after a blank, outside of quotes and of `{{ }}`. */
function withoutComment(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    quotedOrFilled.lastIndex = at;
    const skipped = quotedOrFilled.exec(text);
    if (skipped !== null) at += skipped[0].length - 1;
    else if (text[at] === '#' && /[ \t]/.test(text[at - 1] ?? ' ')) return text.slice(0, at).trimEnd();
  }
  return text;
}
