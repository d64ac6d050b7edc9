const row = /^ {0,3}\|/;
const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Whether content appended to a text continues its last block: a row of a table after a row, or an item of a list after an item. */
export function continuesBlock(text: string, content: string): boolean {
  const ended = text.trimEnd();
  const last = ended.slice(ended.lastIndexOf('\n') + 1);
  return [row, item].some((kind) => kind.test(last) && kind.test(content));
}
