/** Words by which comments and titles cite a document that a reader cannot open. */
const elsewhere: readonly RegExp[] = [
  /\(contract\b/i,
  /\b[Cc]ontract(?:,|:) [A-Z]/,
  /\bcontract['’]s\b/i,
  /\bthe contract\b(?! (?:note|follow-up|kit|suite))/i,
  /\bdecisions\b/i,
  /\b(?:known failure|finding) \d/i,
  /\((?:issue|finding)s?[: ]/i,
  /\bpeers['’]/i,
  /\((?:[A-Z]\d{1,2})(?:, [A-Z]\d{1,2})*\)/,
];

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
const titles = /(?<=\b(?:it|test|describe)\(\s*|\)\(\s*)(['"`])(?:\\.|(?!\1)[^\\])*\1/g;

/** The comments of a source and the titles of its tests that cite such a document, each in one line. */
export function citationsElsewhere(source: string): readonly string[] {
  return [...source.matchAll(comments), ...source.matchAll(titles)]
    .map(([text]) => text.replaceAll(/\s*\n\s*\*?\s*/g, ' '))
    .filter((text) => elsewhere.some((pattern) => pattern.test(text)));
}
