/**
 * The code languages that notes apps only highlight. Excluded are languages that an app or plugin renders or executes
 * when a note is opened (mermaid, query, dataviewjs, tasks, button …) and all unknown ones.
 */
const plainLanguages = new Set(
  `bash batch c clojure cmake console cpp cs csharp css dart diff dockerfile elixir erlang fsharp gherkin go gradle graphql
  groovy haskell ini java javascript js json json5 jsonc jsx julia kotlin kt log lua makefile nginx nix objectivec ocaml
  patch perl php plain plaintext powershell properties proto ps1 py python r rb rs ruby rust scala scss sh shell sql
  swift text toml ts tsx txt typescript xml yaml yml zig zsh`.split(/\s+/),
);

/** Aliases of languages, mapped to names in `plainLanguages`. */
const otherNames: Readonly<Record<string, string>> = { html: 'xml', svg: 'xml', 'c++': 'cpp', 'c#': 'csharp' };

/**
 * Returns the highlight-only language that a code fence's info string names; '' when it names none, null when it names
 * any other.
 */
export function plainLanguageOf(information: string): string | null {
  const [name = ''] = information.trim().toLowerCase().split(/\s/, 1);
  if (name === '' || plainLanguages.has(name)) return name;
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? null) : null;
}
