import peggy from 'peggy';

/** The parser of a grammar, as it is kept beside the grammar. */
export function dqlParserSource(grammar: string): string {
  const source = peggy.generate(grammar, { output: 'source', format: 'es', allowedStartRules: ['Query'] });
  return `// @ts-nocheck: made from dql.peggy by \`npm run dql\`; changed there.\n${source}`;
}
