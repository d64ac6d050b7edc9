/** The keys of a reaction whose values are single-line texts; some may also be a list. */
const textKeys = /^(when|if|note|under|once):[ \t]+(.*?)[ \t]*(\r?)$/gm;

/** Matches the start of a value that continues on further lines. */
const goesOn = /^(?:[|>]|\[(?!.*\])|\{(?!\{)(?!.*\}))/;

/**
 * Quotes texts of a reaction that YAML would misread: those that contain a colon and a blank, or start with `{{` or a
 * YAML indicator. The rest of such a line is the text, without a trailing comment. Lines keep their positions; `isText`
 * tells whether YAML already reads a line, `key: value`, as a string.
 */
export function withQuotedLines(yaml: string, isText: (line: string) => boolean): string {
  return yaml.replace(textKeys, (line, key: string, rest: string, end: string) => {
    if (goesOn.test(rest) || isText(line.trimEnd()) || (key === 'when' && /^[[{"']/.test(rest))) return line;
    const text = withoutComment(rest);
    return text === '' ? line : `${key}: ${JSON.stringify(text)}${end}`;
  });
}

const quotedOrFilled = /"[^"]*"|'[^']*'|\{\{.*?\}\}/y;

/** Removes a trailing comment: a number sign after a blank, outside quotes and `{{ }}`. */
function withoutComment(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    quotedOrFilled.lastIndex = at;
    const skipped = quotedOrFilled.exec(text);
    if (skipped !== null) at += skipped[0].length - 1;
    else if (text[at] === '#' && /[ \t]/.test(text[at - 1] ?? ' ')) return text.slice(0, at).trimEnd();
  }
  return text;
}
