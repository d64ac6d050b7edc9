/** A note that is dear to read, by name: none is larger than a note may be. */
export type HostileNote = Readonly<{ name: string; text: string }>;

const yamlBomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
].join('\n');

/** Texts that readers of Markdown and YAML are known to be slow at; `size` is about how many characters each has. */
export function hostileNotes(size: number): readonly HostileNote[] {
  const times = (text: string) => text.repeat(Math.ceil(size / text.length));
  return [
    { name: 'nested emphasis', text: times('*a ') },
    { name: 'emphasis both ways', text: times('*a_ ') },
    { name: 'strong', text: times('**a') },
    { name: 'brackets', text: times('[') },
    { name: 'bracket pairs', text: times('[a](') },
    { name: 'images', text: times('![') },
    { name: 'quotes', text: `${times('>')}a` },
    { name: 'lists', text: times('- ') },
    {
      name: 'indented lists',
      text: Array.from({ length: Math.sqrt(size) }, (_, n) => `${' '.repeat(n * 2)}- a`).join('\n'),
    },
    { name: 'a table', text: `${times('a|')}\n${times('-|')}\n` },
    { name: 'HTML', text: times('<a href="') },
    { name: 'HTML comments', text: times('<!--') },
    { name: 'backticks', text: Array.from({ length: Math.sqrt(size) }, (_, n) => 'a'.concat('`'.repeat(n))).join('') },
    { name: 'headings', text: times('# a\n') },
    { name: 'underlines', text: times('a\n=\n') },
    { name: 'links by reference', text: times('[a]: x\n[a]') },
    { name: 'entities', text: times('&#x41;&') },
    { name: 'one line', text: times('word ') },
    { name: 'block ids', text: times('a ^b\n') },
    { name: 'an alias bomb', text: `---\n${yamlBomb}\n---\ntext\n` },
    { name: 'deep YAML', text: `---\na: ${'['.repeat(Math.min(size, 100_000))}\n---\ntext\n` },
    { name: 'much YAML', text: `---\n${times('a: 1\n')}---\ntext\n` },
    { name: 'tags', text: times('#tag ') },
    { name: 'wiki links', text: times('[[a') },
  ];
}
