const shortNeedle = 8;

/**
 * The first index of `needle` in `text` at or after `from`, or -1. Runs in linear time, unlike `indexOf` with a long
 * needle that almost matches many times.
 */
export function indexOfText(text: string, needle: string, from = 0): number {
  if (needle.length <= shortNeedle) return text.indexOf(needle, from);
  const start = needle.slice(0, shortNeedle);
  let compared = 0;
  for (let at = text.indexOf(start, from); at !== -1; at = text.indexOf(start, at + 1)) {
    if (text.startsWith(needle, at)) return at;
    compared += needle.length;
    if (compared > 2 * text.length) return indexByTable(text, needle, at + 1);
  }
  return -1;
}

/** Whether `text` contains `needle`, in linear time. */
export const containsText = (text: string, needle: string): boolean => indexOfText(text, needle) !== -1;

/** Searches with the Knuth–Morris–Pratt algorithm, which reads each character of the text once. */
function indexByTable(text: string, needle: string, from: number): number {
  const fallbacks = fallbacksOf(needle);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== needle.charCodeAt(matched)) matched = fallbacks[matched - 1] ?? 0;
    if (code === needle.charCodeAt(matched)) matched += 1;
    if (matched === needle.length) return at - matched + 1;
  }
  return -1;
}

function fallbacksOf(needle: string): Int32Array {
  const fallbacks = new Int32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at += 1) {
    const code = needle.charCodeAt(at);
    while (matched > 0 && code !== needle.charCodeAt(matched)) matched = fallbacks[matched - 1] ?? 0;
    if (code === needle.charCodeAt(matched)) matched += 1;
    fallbacks[at] = matched;
  }
  return fallbacks;
}
