import { sharedFolders } from '#test/architecture/service-folders.ts';

/** A source file: its path from the project's root, and its text. */
export type SourceFile = Readonly<{ path: string; text: string }>;

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

const allowedRooms: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  application: ['application', 'domain'],
  adapters: ['adapters', 'infrastructure', 'application', 'domain'],
  infrastructure: ['infrastructure'],
  bootstrap: ['bootstrap', 'adapters', 'infrastructure', 'application', 'domain'],
};

/** The entry of the package that others import, whose name is the package's. */
const packageEntry = 'bootstrap/package/index.ts';

/** What publishes suites, stores in memory and emulators for the tests of others: the only files that may name a file of the tests. */
const publishing: readonly string[] = ['bootstrap/package/testing.ts', 'bootstrap/build/entries.ts'];

/** A path of the tests in a literal, whole or as the parts of a path: 'test/demo', '../test/demo', join(root, 'test'). */
const testPath = /['"`](?:\.{0,2}\/)*(test\/[^'"`]*)|\b(?:join|resolve)\([^()]*(['"]test['"])/g;

/** What a file does against the layer rules (conventions 1 to 5), a sentence each; empty when it keeps them. */
export function violations({ path, text }: SourceFile): readonly string[] {
  const broken = importsOf(text)
    .map((specifier) => fault(path, specifier))
    .filter((sentence) => sentence !== null)
    .map((sentence) => `${path}: ${sentence}`);
  const named = publishing.includes(path) ? [] : [...text.matchAll(testPath)].map(([, found, part]) => found ?? part);
  const ofTests = named.map((found) => `${path}: names ${found}, of the tests`);
  const index = path.endsWith('/index.ts') && path !== packageEntry ? [`${path}: no index files`] : [];
  return [...index, ...broken, ...ofTests];
}

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function fault(path: string, specifier: string): string | null {
  const room = roomOf(path);
  if (specifier.startsWith('.')) return `relative import ${specifier}`;
  if (specifier.startsWith('#')) return ownRuleError(path, room, specifier);
  if (room === 'domain' && specifier !== 'node:crypto') return `the domain imports ${specifier}`;
  if (room === 'application') return `the application imports ${specifier}`;
  if (specifier === 'inversify' && room !== 'bootstrap') return 'inversify is for bootstrap only';
  if (specifier.startsWith('@modelcontextprotocol/') && !/^adapters\/mcp(?:-client)?\//.test(path)) {
    return 'the MCP SDK is for adapters/mcp and adapters/mcp-client only';
  }
  return null;
}

function ownRuleError(path: string, room: string, specifier: string): string | null {
  const target = specifier.slice(1);
  if (!/\.(ts|json)$/.test(target)) return `${specifier} lacks its extension`;
  if (publishing.includes(path) && roomOf(target) === 'test') return null;
  if (!(allowedRooms[room] ?? []).includes(roomOf(target))) return `${room} imports ${specifier}`;
  if (room === 'adapters' && target.startsWith('adapters/') && !mayMeet(path, target)) {
    return `sibling import ${specifier}`;
  }
  if (isUpward(path, target)) return `upward import ${specifier}`;
  return null;
}

/**
 * The folders of an adapter that has several, each of which may use those before it. Of MCP: what the protocol is, how an answer is shaped,
 * what is offered, who hears of changes, and how bytes come and go. Of HTTP: how an answer looks, what a request brings, and the steps that
 * every request walks. A folder that is not listed comes after those that are.
 */
const orderedFolders: Readonly<Record<string, readonly string[]>> = {
  mcp: ['protocol', 'results', 'tools', 'resources', 'prompts', 'changes', 'transports'],
  http: ['answers', 'requests', 'middleware'],
};

/** Whether a file uses a folder of its adapter that comes after its own; files next to the folders put them together. */
function isUpward(path: string, target: string): boolean {
  const [room, adapter, ...from] = path.split('/');
  const [targetRoom, targetAdapter, ...to] = target.split('/');
  if (room !== 'adapters' || targetRoom !== 'adapters' || adapter !== targetAdapter) return false;
  const folders = orderedFolders[adapter ?? ''];
  if (folders === undefined || from.length === 1 || to.length === 1) return false;
  const placeOf = ([folder = '']: readonly string[]) =>
    folders.includes(folder) ? folders.indexOf(folder) : folders.length;
  return placeOf(to) > placeOf(from);
}

/** The folders that all adapters share: what adapters ask of each other, and what checks data from outside. */
const sharedAdapters: readonly string[] = ['contracts', 'input'];

/**
 * Adapters meet their own folder and the shared ones only; a service may use what the five share, and not the other way
 * round.
 */
function mayMeet(path: string, target: string): boolean {
  const [, from, fromService, fromFile] = path.split('/');
  const [, to, toService, toFile] = target.split('/');
  if (sharedAdapters.includes(to ?? '')) return true;
  if (from !== to) return false;
  if (from !== 'services') return true;
  const isShared = (folder: string, file: string | undefined): boolean =>
    file === undefined || sharedFolders.includes(folder);
  return isShared(toService ?? '', toFile) || (!isShared(fromService ?? '', fromFile) && fromService === toService);
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? '';
}
