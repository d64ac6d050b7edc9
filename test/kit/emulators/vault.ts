import { member } from '#test/kit/checks.ts';
import { type Answering, Emulator, type Received, type Reply } from '#test/kit/emulators/emulator.ts';

/** An emulated vault: notes by their paths, kept in memory. */
export type EmulatedVault = Readonly<{ emulator: Emulator; notes: Map<string, string>; key: string }>;

/** The vault as a kit serves it. It finds and lists what it was given, and applies patches of frontmatter and headings. */
export function vault(): EmulatedVault {
  const key = 'kit-vault-key';
  const notes = new Map<string, string>();
  const answering: Answering = (request) => {
    if (request.path === '/')
      return { body: { status: 'OK', authenticated: true, service: 'kit', versions: { self: '3.2.0' } } };
    if (request.headers['authorization'] !== `Bearer ${key}`)
      return { status: 401, body: { message: 'refused', errorCode: 40101 } };
    return answerOf(request, notes);
  };
  return { emulator: new Emulator('vault', answering), notes, key };
}

function answerOf(request: Received, notes: Map<string, string>): Reply {
  const { method, path, query } = request;
  if (path === '/search/') return { body: found(request, notes) };
  if (path === '/search/simple/') return { body: searched(query.get('query') ?? '', notes) };
  if (path === '/commands/') return { body: { commands: [{ id: 'kit:do', name: 'Do' }] } };
  if (path.startsWith('/commands/') || path.startsWith('/open/')) return { status: 204 };
  if (path === '/openapi.yaml') return { headers: { 'content-type': 'application/yaml' }, body: 'openapi: 3.0.2\n' };
  if (path === '/vault-api.crt')
    return { headers: { 'content-type': 'application/x-x509-ca-cert' }, body: 'no certificate' };
  const name = nameOf(path);
  if (method === 'GET' && (name === '' || name.endsWith('/'))) return listed(name, notes);
  return noteAnswer(request, name, notes);
}

/** The path of the note that a route stands for; periodic and active notes have places of their own. */
function nameOf(path: string): string {
  const [, route = '', ...rest] = path.split('/').map((segment) => decodeURIComponent(segment));
  return route === 'vault' ? rest.join('/') : `${[route, ...rest].filter((part) => part !== '').join('-')}.md`;
}

function listed(folder: string, notes: Map<string, string>): Reply {
  const inside = [...notes.keys()].filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
  if (folder !== '' && inside.length === 0)
    return { status: 404, body: { message: 'no such folder', errorCode: 40400 } };
  return {
    body: { files: [...new Set(inside.map((name) => (name.includes('/') ? `${name.split('/')[0]}/` : name)))] },
  };
}

function noteAnswer(request: Received, name: string, notes: Map<string, string>): Reply {
  const { method, headers, text } = request;
  const before = notes.get(name) ?? null;
  switch (method) {
    case 'GET':
      return before === null ? missing : read(before, name, headers['accept'] ?? '');
    case 'PUT':
      notes.set(name, text);
      return { status: 204 };
    case 'POST':
      notes.set(name, before === null ? text : `${before.replace(/\n?$/, '\n')}${text}`);
      return { status: 204 };
    case 'DELETE':
      return notes.delete(name) ? { status: 204 } : missing;
    case 'PATCH':
      return before === null ? missing : patched(request, name, before, notes);
    default:
      return { status: 405, body: { message: 'no such method', errorCode: 40500 } };
  }
}

const missing: Reply = { status: 404, body: { message: 'no such note', errorCode: 40400 } };

function read(text: string, path: string, accept: string): Reply {
  if (accept.includes('vnd.vault.note+json')) {
    const stat = { ctime: 0, mtime: 0, size: Buffer.byteLength(text) };
    const body = { path, content: text, frontmatter: frontmatterOf(text), tags: [], stat };
    return { headers: { 'content-type': 'application/vnd.vault.note+json' }, body };
  }
  if (accept.includes('document-map')) {
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
    return { body: { headings, blocks: [], frontmatterFields: Object.keys(frontmatterOf(text)) } };
  }
  return { headers: { 'content-type': 'text/markdown' }, body: text };
}

/** The frontmatter of a note, one plain value a line. */
export function frontmatterOf(text: string): Readonly<Record<string, unknown>> {
  const block = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/^([^\s:#][^:]*): *(.*)$/gm)].map(([, name = '', value = '']) => [name, scalar(value)]),
  );
}

function scalar(text: string): unknown {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2];
  if (text === '' || text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function patched({ headers, text }: Received, name: string, before: string, notes: Map<string, string>): Reply {
  const target = decodeURIComponent(headers['target'] ?? '');
  if (headers['target-type'] === 'frontmatter') {
    notes.set(name, withKey(before, target, text));
    return { status: 200 };
  }
  const heading = target.split(headers['target-delimiter'] ?? '::').at(-1) ?? '';
  const lines = before.split('\n');
  const at = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  if (at === -1 && headers['create-target-if-missing'] !== 'true')
    return { status: 400, body: { message: 'invalid-target', errorCode: 40080 } };
  if (headers['reject-if-content-preexists'] === 'true' && before.includes(text.trim())) {
    return { status: 400, body: { message: 'content-already-preexists-in-target', errorCode: 40080 } };
  }
  const start = at === -1 ? lines.push(`## ${heading}`) - 1 : at;
  const next = lines.findIndex((line, index) => index > start && line.startsWith('#'));
  lines.splice(headers['operation'] === 'prepend' ? start + 1 : next === -1 ? lines.length : next, 0, text);
  notes.set(name, lines.join('\n'));
  return { status: 200 };
}

function withKey(note: string, key: string, json: string): string {
  const block = /^---\n([\s\S]*?)\n---\n?/.exec(note);
  const lines = (block?.[1] ?? '').split('\n').filter((line) => line !== '' && !line.startsWith(`${key}:`));
  return `---\n${[...lines, `${key}: ${json}`].join('\n')}\n---\n${block === null ? note : note.slice(block[0].length)}`;
}

/** The notes for which a JsonLogic rule is true; a query in another language finds none. */
function found({ json }: Received, notes: Map<string, string>): readonly unknown[] {
  return [...notes]
    .filter(
      ([path, text]) => json !== undefined && truth(json, { path, content: text, frontmatter: frontmatterOf(text) }),
    )
    .map(([filename]) => ({ filename, result: true }));
}

/** Whether a rule is true for a note. Of JsonLogic it knows what looking records up needs. */
function truth(rule: unknown, note: unknown): boolean {
  const operands = (name: string): readonly unknown[] | null => {
    const found = member(rule, name);
    return Array.isArray(found) ? found : null;
  };
  const either = operands('or');
  if (either !== null) return either.some((part) => truth(part, note));
  const both = operands('and');
  if (both !== null) return both.every((part) => truth(part, note));
  const equals = operands('===') ?? operands('==');
  return equals !== null && String(valueIn(equals[0], note)) === String(valueIn(equals[1], note));
}

function valueIn(operand: unknown, note: unknown): unknown {
  const name = member(operand, 'var');
  return typeof name === 'string' ? member(note, ...name.split('.')) : operand;
}

function searched(words: string, notes: Map<string, string>): readonly unknown[] {
  return [...notes].flatMap(([filename, note]) => {
    const start = words === '' ? -1 : note.indexOf(words);
    return start === -1
      ? []
      : [
          {
            filename,
            score: 1,
            matches: [{ match: { start, end: start + words.length }, context: note.slice(start, start + 50) }],
          },
        ];
  });
}
