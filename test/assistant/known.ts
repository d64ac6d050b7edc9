/** The inputs that name something: a record, a note, a heading, a page, a tool. */
const naming =
  /(?:^|_)(?:after|assignee|cursor|cycle|email|heading|ids?|issue|issueId|relatedIssueId|labels|module|operation|org|owner|page|path|person|project|stage|state|target|team|to|tool|uuid)$/;

/** What an assistant can know: the words of the request and of the list of tools, and of all that it was answered. */
export class Known {
  readonly #words = new Set(['md']);

  /** Adds the words of a text. */
  learn(text: string): void {
    for (const word of wordsOf(text)) this.#words.add(word);
  }

  /** The words of arguments by which something is named and that have been nowhere; an honest assistant has none. */
  guessedIn(value: unknown, isNaming = false): readonly string[] {
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([key, one]) =>
        this.guessedIn(one, Array.isArray(value) ? isNaming : naming.test(key)),
      );
    }
    if (!isNaming || (typeof value !== 'string' && typeof value !== 'number')) return [];
    return wordsOf(`${value}`).filter((word) => !this.#words.has(word));
  }
}

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
}
