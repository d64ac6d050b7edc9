/** A control of a form that is sent: its name, its value, and the words on it where it is a button. */
export type Control = Readonly<{ name: string; value: string; type: string; label: string; isChecked: boolean }>;

/** A form of a page. */
export type Form = Readonly<{ method: string; action: string; controls: readonly Control[] }>;

/** The forms of a page. HTML is read loosely: attributes in any order and quoting, tags in any case. */
export function formsOf(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head = '', inside = '']) => {
    const attributes = attributesOf(head);
    return {
      method: (attributes.get('method') ?? 'get').toUpperCase(),
      action: attributes.get('action') ?? '',
      controls: [...inputsIn(inside), ...buttonsIn(inside)],
    };
  });
}

/** What the form sends as it stands, without any button: hidden fields, texts, and what is ticked. */
export function fieldsOf({ controls }: Form): readonly (readonly [string, string])[] {
  const isSent = ({ type, isChecked }: Control): boolean =>
    !['submit', 'button', 'image', 'reset'].includes(type) && (!['checkbox', 'radio'].includes(type) || isChecked);
  return controls.filter((control) => control.name !== '' && isSent(control)).map(({ name, value }) => [name, value]);
}

/** The hidden fields of a form by their names. */
export function hiddenOf({ controls }: Form): Readonly<Record<string, string>> {
  return Object.fromEntries(controls.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value]));
}

/** The button with these words on it; null when there is none. */
export function buttonOf({ controls }: Form, words: RegExp): Control | null {
  return (
    controls.find(({ type, label, value }) => type === 'submit' && (words.test(label) || words.test(value))) ?? null
  );
}

/** The text of a page as a person reads it. */
export function wordsOf(html: string): string {
  const visible = html.replaceAll(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ').replaceAll(/<[^>]*>/g, ' ');
  return unescaped(visible).replaceAll(/\s+/g, ' ').trim();
}

/** The title of a page. */
export function titleOf(html: string): string {
  return unescaped(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? '').trim();
}

/** The addresses that a page's links lead to. */
export function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/<a\b([^>]*)>/gi)].map(([, head = '']) => attributesOf(head).get('href') ?? '');
}

function inputsIn(html: string): readonly Control[] {
  return [...html.matchAll(/<input\b([^>]*)>/gi)].map(([, head = '']) => {
    const attributes = attributesOf(head);
    const type = (attributes.get('type') ?? 'text').toLowerCase();
    const value = attributes.get('value') ?? (['checkbox', 'radio'].includes(type) ? 'on' : '');
    return { name: attributes.get('name') ?? '', value, type, label: value, isChecked: attributes.has('checked') };
  });
}

function buttonsIn(html: string): readonly Control[] {
  return [...html.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/gi)].map(([, head = '', inside = '']) => {
    const attributes = attributesOf(head);
    return {
      name: attributes.get('name') ?? '',
      value: attributes.get('value') ?? '',
      type: (attributes.get('type') ?? 'submit').toLowerCase(),
      label: wordsOf(inside),
      isChecked: false,
    };
  });
}

function attributesOf(head: string): ReadonlyMap<string, string> {
  const found = head.matchAll(/([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      unescaped(double ?? single ?? bare ?? ''),
    ]),
  );
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** The text that HTML says with its character references. */
export function unescaped(html: string): string {
  return html.replaceAll(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => {
    if (/^#x/i.test(name)) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return String.fromCodePoint(Number.parseInt(name.slice(1), 10));
    return entities.get(name.toLowerCase()) ?? whole;
  });
}
