import { plainLanguageOf } from '#domain/notes/plain-languages.ts';

/** Matches inline code that notes apps execute: template commands and inline queries. */
const runInLine = /<%(?:(?!%>).)*|`\s*\$?=[^`]*/g;

/** Lists the code in a note's body that a notes app would execute, with the index of its line. */
export function executableCode(body: string): readonly Readonly<{ line: number; code: string }>[] {
  let fence: Readonly<{ mark: string; isRun: boolean }> | null = null;
  return body.split('\n').flatMap((text, line) => {
    const [start = '', mark = ''] = /^[ \t>]*(`{3,}|~{3,})/.exec(text) ?? [];
    const information = text.slice(start.length);
    if (fence !== null && mark.startsWith(fence.mark) && information.trim() === '') fence = null;
    else if (fence === null && mark !== '') fence = { mark, isRun: plainLanguageOf(information) === null };
    const code = fence?.isRun === true ? text : (text.match(runInLine) ?? []).join(' ');
    return code === '' ? [] : [{ line, code }];
  });
}
